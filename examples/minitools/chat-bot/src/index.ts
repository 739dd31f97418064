/** A bot that holds a request open until its platform has messages. Its place in them is kept only after each was accepted. */
import type { MiniToolContext } from 'finch';

type Update = { readonly id: number; readonly chat: string; readonly text: string };

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

export const activate = async (ctx: MiniToolContext): Promise<void> => {
  const platform = ctx.settings.get<string>('platform');
  const authorization = `Bearer ${await ctx.secrets.get('token')}`;
  const leave = new AbortController();

  /** Resolves when the message is the server's to keep. A full queue is waited for: the platform keeps what is not asked for yet. */
  const take = async ({ id, chat, text }: Update): Promise<void> => {
    const { sessionId } = await ctx.sessions.create({ containerId: 'chats', title: `Chat with ${chat}`, externalKey: chat });
    for (;;) {
      const receipt = await ctx.sessions.send(sessionId, { text, idempotencyKey: `update-${id}`, metadata: { chat } });
      if (receipt.state !== 'rejected') return;
      await pause(receipt.retryAfterMs, leave.signal);
    }
  };

  const poll = async (): Promise<void> => {
    for (let failures = 0; !leave.signal.aborted; ) {
      try {
        const after = (await ctx.storage.get<number>('after')) ?? 0;
        const answer = await fetch(`${platform}/updates?after=${after}`, { headers: { authorization }, signal: leave.signal });
        if (!answer.ok) throw new Error(`The platform answered ${answer.status}.`);
        for (const update of (await answer.json()) as readonly Update[]) {
          await take(update);
          // Not before: a message that was marked as seen and then not taken would be lost.
          await ctx.storage.set('after', update.id);
        }
        failures = 0;
      } catch (error) {
        if (leave.signal.aborted) return;
        failures += 1;
        ctx.logger.warn('no messages now', error);
        await pause(Math.min(1_000 * 2 ** failures, 60_000), leave.signal);
      }
    }
  };

  ctx.subscriptions.push(
    { dispose: () => leave.abort() },
    ctx.sessions.consume('replies', async (event) => {
      if (event.type !== 'turn.completed' && event.type !== 'turn.failed') return;
      const text = event.type === 'turn.completed' ? event.outputText : 'Something went wrong. Please say it again.';
      const body = JSON.stringify({ key: event.turnId, chat: event.metadata?.['chat'], text });
      const answer = await fetch(`${platform}/messages`, { method: 'POST', body, headers: { authorization, 'content-type': 'application/json' } });
      if (!answer.ok) throw new Error(`The platform answered ${answer.status}.`);
    }),
  );
  void poll();
};

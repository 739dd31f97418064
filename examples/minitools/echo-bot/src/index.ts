/**
 * A bot that loses no message and answers none twice, whatever is killed in between. Nothing of that is its own doing: the server keeps
 * what came in until the handler has taken it, knows a message by the platform's id, and keeps each reply until it was delivered.
 */
import type { MiniToolContext } from 'finch';

type Message = { readonly id: string; readonly chat: string; readonly text: string };

export const activate = (ctx: MiniToolContext): void => {
  const platform = ctx.settings.get<string>('platform');
  ctx.subscriptions.push(
    ctx.http.onWebhook('messages', async (delivery) => {
      const { chat, text } = delivery.json() as Message;
      // One session for each contact, however often this is asked.
      const { sessionId } = await ctx.sessions.create({ containerId: 'chats', title: `Chat with ${chat}`, externalKey: chat });
      const receipt = await ctx.sessions.send(sessionId, { text, idempotencyKey: delivery.idempotencyKey, metadata: { chat } });
      // What is rejected comes again, a little later.
      if (receipt.state === 'rejected') throw new Error(`The queue is full: ${receipt.pendingCount} of ${receipt.limit}.`);
    }),
    ctx.sessions.consume('replies', async (event) => {
      if (event.type !== 'turn.completed') return;
      const reply = { key: event.turnId, chat: event.metadata?.['chat'], text: event.outputText };
      const answer = await fetch(`${platform}/replies`, { method: 'POST', body: JSON.stringify(reply), headers: { 'content-type': 'application/json' } });
      if (!answer.ok) throw new Error(`The platform answered ${answer.status}.`);
    }),
  );
};

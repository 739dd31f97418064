/**
 * A page that is reloaded in mid-answer: a second client knows nothing but the session's id, shows what was said so far and
 * goes on without a gap or a repeat, while the turn never notices.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when the reloaded page ends with the same answer, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';
import type { SessionView } from '@turnkeeper/core/view/session-view';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token = '' } = process.env;
const openPage = () => createClient({ baseUrl, token });

const words = Array.from({ length: 40 }, (_, n) => `word${n} `);
/** For the scripted demo model the message says what the model does: it speaks slowly. */
const message = JSON.stringify({ steps: [words.flatMap((text) => [{ text }, { delay_ms: 25 }])] });

/** What the assistant has said, as a page shows it. */
const said = (view: SessionView | undefined): string =>
  (view?.items ?? [])
    .filter(({ data }) => data.item.role === 'assistant')
    .flatMap(({ data }) => data.item.content.map((block) => (block.type === 'text' ? block.text : '')))
    .join('');

/** Opens the session in a page of its own and resolves with what it shows once that is `enough`; then the page is closed. */
const readUntil = async (id: string, enough: (view: SessionView) => boolean): Promise<SessionView> => {
  const page = openPage();
  const watch = page.watchSession(id);
  const { promise, resolve } = Promise.withResolvers<SessionView>();
  const look = (): void => {
    const { view } = watch.getSnapshot();
    if (view && enough(view)) resolve(view);
  };
  const stop = watch.subscribe(look);
  look();
  const view = await promise;
  stop();
  page.close();
  return view;
};

const main = async (): Promise<void> => {
  const app = openPage();
  const agentKey = `example-speaker-${crypto.randomUUID().slice(0, 8)}`;
  await app.agents.create({ agentKey, displayName: 'Speaker', definition: { system: 'You speak slowly.', model: 'demo:script' } });
  const { id, turnId = '' } = await app.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey: crypto.randomUUID() });

  const before = said(await readUntil(id, (view) => said(view).length > 40));
  const after = said(await readUntil(id, ({ turns }) => turns.some(({ data }) => data.status === 'completed')));
  assert.ok(after.startsWith(before), 'the reloaded page begins with what was shown before');
  assert.equal(after, words.join(''));

  const turn = await app.turns.get(id, turnId);
  assert.deepEqual([turn.status, turn.outputText, turn.runs], ['completed', after, 1]);
  app.close();
  process.stdout.write(`Reloaded after ${before.length} of ${after.length} characters.\n`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

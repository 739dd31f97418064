/** Making a session with its first message, if need be on another model than the agent's own. */
import type { Client } from '@turnkeeper/client/create-client';
import type { InputBlock } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { NewTarget } from './new-target.ts';

export type ChatWish = {
  readonly target: NewTarget;
  /** Of an agent: another model than its own; '' = that. */
  readonly model: string;
  readonly message: string;
  /** In place of the message, which is how it was written. */
  readonly input?: Json;
  readonly files: readonly File[];
};

const madeFor = ({ target, model }: Pick<ChatWish, 'target' | 'model'>) => ({ target, ...(model === '' ? {} : { model }) });

/** Files belong to a session: it is made first, then they are uploaded, then the message goes with them. */
const startWithFiles = async (client: Client, { message, files, ...wish }: ChatWish, key: string): Promise<string> => {
  const { id } = await client.sessions.create(
    { ...madeFor(wish), title: message.slice(0, 80).trim() || files[0]?.name.slice(0, 80) || '' },
    { idempotencyKey: key },
  );
  const blocks: InputBlock[] = message.trim() === '' ? [] : [{ type: 'text', text: message }];
  for (const [at, file] of files.entries()) {
    const stored = await client.files.upload(id, file, { idempotencyKey: `${key}-${at}`, name: file.name });
    blocks.push({ type: 'file', file_id: stored.id });
  }
  await client.turns.submit(id, { input: [{ role: 'user', content: blocks }] }, { idempotencyKey: key });
  return id;
};

/** The new session's id. The same key with the same wish gives the same session. */
export const startChat = async (client: Client, wish: ChatWish, idempotencyKey: string): Promise<string> => {
  if (wish.files.length > 0) return startWithFiles(client, wish, idempotencyKey);
  const initialMessage = wish.input === undefined ? { message: wish.message } : { input: wish.input };
  return (await client.sessions.create({ ...madeFor(wish), initialMessage }, { idempotencyKey })).id;
};

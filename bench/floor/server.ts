/**
 * The floor: the least that takes in a turn durably and streams it. Plain http, one SQLite file, group commit with
 * fsync in a worker, each token a row of its own. No auth, idempotency, order across restarts, cancel, replay or
 * recovery: a real service lands below it, and by how much is the price of its promises.
 */
import { createServer, type ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import { loopModel, providerModel } from './model.ts';

type Row = { readonly session: number; readonly seq: number; readonly type: string; readonly data: string };

const folder = process.argv[2] ?? '.';
/** How many tokens a loop of its own says, or where a provider is asked for them. */
const from = process.argv[3] ?? '20';
const model = from.startsWith('http') ? providerModel(from) : loopModel(Number(from));
const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { folder } });

let gathering: { readonly rows: Row[]; readonly done: (() => void)[] } = { rows: [], done: [] };
let committing: readonly (() => void)[] | undefined;

const commit = (): void => {
  if (committing || gathering.rows.length === 0) return;
  const batch = gathering;
  gathering = { rows: [], done: [] };
  committing = batch.done;
  worker.postMessage(batch.rows);
};
worker.on('message', () => {
  const done = committing ?? [];
  committing = undefined;
  commit();
  for (const resolve of done) resolve();
});
const durable = (rows: readonly Row[]): Promise<void> =>
  new Promise((resolve) => {
    gathering.rows.push(...rows);
    gathering.done.push(resolve);
    commit();
  });

const seqs = new Map<number, number>();
const readers = new Map<number, Set<ServerResponse>>();
const write = async (session: number, events: readonly (readonly [string, string])[]): Promise<void> => {
  const from = seqs.get(session) ?? 0;
  seqs.set(session, from + events.length);
  const rows = events.map(([type, data], index) => ({ session, seq: from + index + 1, type, data }));
  await durable(rows);
  const frames = rows.map((row) => `id: ${row.seq}\nevent: ${row.type}\ndata: ${row.data}\n\n`).join('');
  for (const reader of readers.get(session) ?? []) reader.write(frames);
};

/** What the model says is stored as it comes, while a commit is not under way. */
const run = async (session: number): Promise<void> => {
  let open: (readonly [string, string])[] = [];
  let writing: Promise<void> | undefined;
  const flush = (): void => {
    writing ??= write(session, open.splice(0)).finally(() => {
      writing = undefined;
      if (open.length > 0) flush();
    });
  };
  await model((text) => {
    open.push(['item.delta', JSON.stringify({ text })]);
    flush();
  });
  while (writing) await writing;
  open = [];
  await write(session, [['turn.completed', '{}']]);
};

const server = createServer((request, response) => {
  const session = Number(new URL(request.url ?? '/', 'http://floor').searchParams.get('session'));
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    const set = readers.get(session) ?? new Set();
    readers.set(session, set.add(response));
    response.on('close', () => set.delete(response));
    return;
  }
  let body = '';
  request.on('data', (piece: Buffer) => {
    body += piece.toString();
  });
  request.on('end', () => {
    void write(session, [['turn.accepted', JSON.stringify({ message: (JSON.parse(body) as { message: string }).message })]]).then(() => {
      response.writeHead(202, { 'Content-Type': 'application/json' }).end('{"status":"queued"}');
      void run(session);
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});

/** Writes until the limit on the size of files is met, then on after it was lifted; prints what it saw as JSON. */
import { spawnSync } from 'node:child_process';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { emptyState } from '@turnkeeper/core/session/state';
import { systemClock } from '../../ports/clock.ts';
import { rebuildCheck } from '../../testing/store-contract/rebuild-check.ts';
import { command, createdSession, event, headOf, logOf } from '../../testing/store-contract/samples.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const limitFiles = (bytes: number | 'unlimited'): void => {
  const result = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  if (result.status !== 0) throw new Error(`prlimit: ${String(result.error ?? result.stderr)}`);
};
const codeOf = (error: unknown): string => (error instanceof TurnkeeperError ? error.code : String(error));
const tried = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'ok', codeOf);

const state = { body: JSON.stringify(emptyState), due: null };
const { sessions, close } = await openSqliteStore({ folder: process.argv[2] ?? '', clock: systemClock });
const { head: first } = await createdSession(sessions, { write: { events: [event('session.status_created')], state } });
const acknowledged: number[] = [];
let why = '';
/** One write of 100 KB; true when it was taken. */
const write = async (): Promise<true | string> => {
  const head = await headOf(sessions, first.sid);
  const n = head.seq + 1;
  try {
    await sessions.write(
      command(head, {
        events: [event('session.error', { error_code: 'x', error_message: `${n}` })],
        payloads: [{ n, body: `"${'x'.repeat(100_000)}"` }],
        state,
      }),
    );
    acknowledged.push(n);
    return true;
  } catch (error) {
    why ||= String(error);
    return codeOf(error);
  }
};

limitFiles(1_500_000);
let refused: true | string = true;
while (refused === true) refused = await write();
const before = acknowledged.length;
await write();
// A small write may still fit where a large one did not: now nothing fits.
limitFiles(100_000);
const ping = await tried(sessions.ping());
const readWhileFull = (await logOf(sessions, first.sid)).length === before + 1;
limitFiles('unlimited');
const pingAfter = await tried(sessions.ping());
const wentOn = (await write()) === true && (await write()) === true;
const log = (await logOf(sessions, first.sid)).map((row) => row.seq);
const missing: number[] = [];
for (const n of acknowledged) if (!log.includes(n) || (await sessions.payload(first.sid, n))?.length !== 100_002) missing.push(n);
const faults = await rebuildCheck(sessions, first.sid);
await close();
process.stdout.write(JSON.stringify({ refused, why, before, ping, readWhileFull, pingAfter, wentOn, missing, faults }));

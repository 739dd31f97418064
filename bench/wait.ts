/**
 * How long until a waiting call is answered after the turn's outcome is durable? `GET {T}?wait=` and the event stream look at the same
 * turn: the stream tells of an outcome as soon as it is durable, so what the call is behind it is what waiting adds.
 */
import { startService } from './lib/child.ts';
import { call, openStream } from './lib/http.ts';
import { report } from './lib/report.ts';
import { median, quantile, round } from './lib/stats.ts';
import { auth, makeAgent, post } from './lib/targets.ts';

const sessions = '/api/v1/agent-sessions';
const doneMark = Buffer.from('event: turn.completed');

const child = await startService();
// Long enough for the call to be waiting when it ends.
const agent = await makeAgent(child, 'wait', 'demo:script');
const message = JSON.stringify({ script: [{ text: 'a' }, { delay_ms: 60 }, { text: 'b' }] });

const waitOnce = async (session: string): Promise<number> => {
  let told = 0;
  const heard = Promise.withResolvers<void>();
  const stream = await openStream(`${child.url}${sessions}/${session}/events/stream?after=latest`, auth, (piece) => {
    if (told > 0 || !piece.includes(doneMark)) return;
    told = performance.now();
    heard.resolve();
  });
  const { id } = await post<{ id: string }>(child, `${sessions}/${session}/turns`, { message }, `key-${performance.now()}`);
  const answer = await call(`${child.url}${sessions}/${session}/turns/${id}?wait=30`, { headers: auth });
  const answered = performance.now();
  if (!answer.body.includes('"completed"')) throw new Error(answer.body);
  await heard.promise;
  stream.close();
  return answered - told;
};

const rows = [];
for (let run = 1; run <= 3; run += 1) {
  const { id: session } = await post<{ id: string }>(child, sessions, { agent }, `session-${run}`);
  for (let n = 0; n < 20; n += 1) await waitOnce(session);
  const times: number[] = [];
  for (let n = 0; n < 100; n += 1) times.push(await waitOnce(session));
  rows.push({ run, 'behind the stream p50 ms': round(median(times), 2), 'p99 ms': round(quantile(times, 0.99), 2), 'most ms': round(Math.max(...times), 2) });
}
await child.stop();
report('Waiting for a turn, answered after its outcome', rows);
process.exit(0);

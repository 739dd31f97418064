/**
 * The load of the kill test: sessions whose turns stream, use tools and wait for the test's answers, while the server
 * under them is killed again and again; and what must hold of it in the end.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { outcomeEvents } from '@turnkeeper/core/session/events';
import { type Logged, logFaults } from './harness/log-checker.ts';
import type { Random } from './harness/random.ts';
import type { StreamEvent, StubbornHttp } from './harness/stubborn-http.ts';

const script = (...steps: readonly unknown[]): string => JSON.stringify({ steps });

/** What a turn is told to do, by kind. */
const kinds: readonly ((random: Random) => string)[] = [
  (random) => script([{ text: 'streaming '.repeat(10), chunk: 7 }, { delay_ms: random.below(150) }, { text: 'and on', chunk: 1 }]),
  (random) =>
    script(
      [{ tool: { name: 'append', input: { before_ms: random.below(60), after_ms: random.below(60) } } }, { tool: { name: 'time' } }],
      [{ delay_ms: random.below(100) }, { text: 'done' }],
    ),
  () => script([{ tool: { name: 'pay', input: { sum: 3 } } }, { tool: { name: 'append' } }], [{ text: 'paid' }]),
  (random) => script([{ delay_ms: random.below(60) }, { tool: { name: 'append' } }], [{ tool: { name: 'append' } }], [{ text: 'twice' }]),
];

export type SessionLoad = { readonly id: string; readonly turns: string[]; readonly seen: StreamEvent[]; readonly outcomes: Map<string, string> };

const answerTo = (data: Record<string, unknown>): Record<string, unknown> =>
  data['kind'] === 'reconciliation' ? { outcome: 'succeeded', output: 'looked up', reason: 'the test looked' } : { output: 'paid' };

/** Submits turns while `busy`, at most eight at a time unfinished, and answers what they ask, from what its reader sees. */
export const runSession = async (http: StubbornHttp, agent: string, random: Random, busy: () => boolean, stop: AbortSignal): Promise<SessionLoad> => {
  const name = `s${random.below(1_000_000_000)}`;
  const { id } = await http.call<{ id: string }>('POST', '/agent-sessions', { agent }, `${name}-create`);
  const load: SessionLoad = { id, turns: [], seen: [], outcomes: new Map() };
  const seen = (event: StreamEvent): void => {
    load.seen.push(event);
    const turn = String(event.data['turn_id']);
    if (outcomeEvents.has(event.type)) load.outcomes.set(turn, event.type);
    if (event.type !== 'required_action.created') return;
    const request = String(event.data['request_id']);
    // Answered already, by an answer whose receipt was lost with the server: the key's replay says so first.
    void http
      .call('POST', `/agent-sessions/${id}/turns/${turn}/actions`, { request_id: request, payload: answerTo(event.data) }, `answer-${request}`)
      .catch(() => {});
  };
  void http.follow(`/agent-sessions/${id}/events/stream`, seen, stop);
  for (let n = 0; busy(); n += 1) {
    if (load.turns.length - load.outcomes.size < 8) {
      const message = kinds[random.below(kinds.length)]?.(random) ?? '';
      const turn = await http.call<{ id: string }>('POST', `/agent-sessions/${id}/turns`, { message }, `${name}-${n}`);
      load.turns.push(turn.id);
    }
    await wait(random.below(2_000));
  }
  return load;
};

type Page = { readonly data: readonly StreamEvent[]; readonly next_cursor: string; readonly has_more: boolean };

const wholeLogOf = async (http: StubbornHttp, id: string): Promise<readonly StreamEvent[]> => {
  const all: StreamEvent[] = [];
  for (let after = ''; ; ) {
    const page = await http.call<Page>('GET', `/agent-sessions/${id}/events?limit=1000${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`);
    all.push(...page.data);
    if (!page.has_more) return all;
    after = page.next_cursor;
  }
};

/** What went wrong in a session; empty when nothing did. */
export const loadFaults = async (http: StubbornHttp, load: SessionLoad): Promise<readonly string[]> => {
  const events = await wholeLogOf(http, load.id);
  const log = events.map((event, index): Logged => ({ seq: index + 1, event: loggedEvent(event.type, event.created_at, event.data) }));
  const faults = [...logFaults(log)];
  const accepted = events.filter((event) => event.type === 'turn.accepted').map((event) => String(event.data['turn_id']));
  if (accepted.join() !== load.turns.join()) faults.push(`accepted turns [${accepted.join(', ')}], the client was told of [${load.turns.join(', ')}]`);
  if (load.seen.map((event) => event.id).join() !== events.map((event) => event.id).join())
    faults.push(`its reader saw ${load.seen.length} events, the log has ${events.length}`);
  for (const turn of load.turns) {
    const ends = events.filter((event) => outcomeEvents.has(event.type) && event.data['turn_id'] === turn);
    const [end] = ends;
    const lost = events.filter((event) => event.type === 'run.ended' && event.data['turn_id'] === turn && event.data['status'] === 'lost').length;
    const crashLoop = end?.type === 'turn.failed' && end.data['error_code'] === 'crash_loop' && lost >= 5;
    if (ends.length !== 1 || !(end?.type === 'turn.completed' || crashLoop))
      faults.push(`turn ${turn} ended ${ends.map((event) => event.type).join(', ') || 'never'}`);
  }
  return faults.map((fault) => `${load.id}: ${fault}`);
};

/** Effects that happened twice, or that a result speaks of and that never happened. */
export const effectFaults = (file: string, loads: readonly SessionLoad[]): readonly string[] => {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `the effect ${line} happened twice`);
  const done = new Set(lines);
  const missing = loads.flatMap((load) =>
    load.seen.flatMap((event) => {
      if (event.type !== 'tool.completed' || event.data['name'] !== 'append' || !JSON.stringify(event.data).includes('"appended"')) return [];
      const line = `${event.data['turn_id']} ${event.data['tool_call_id']}`;
      return done.has(line) ? [] : [`the effect ${line} never happened`];
    }),
  );
  return [...twice, ...missing];
};

/** What must hold of the crash loads in the end, however often the servers died. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { outcomeEvents } from '@turnkeeper/core/session/events';
import { type Logged, logFaults } from '../harness/log-checker.ts';
import type { StreamEvent, StubbornHttp } from '../harness/stubborn-http.ts';
import { type Child, childFaults, familyFaults, inputFaults, limitFaults, publishFaults } from './made-faults.ts';
import type { SessionLoad } from './session-load.ts';

type Page = { readonly data: readonly StreamEvent[]; readonly next_cursor: string; readonly has_more: boolean };

const wholeLogOf = async (http: StubbornHttp, path: string): Promise<readonly StreamEvent[]> => {
  const all: StreamEvent[] = [];
  for (let after = ''; ; ) {
    const page = await http.call<Page>('GET', `/agent-sessions/${path}/events?limit=1000${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`);
    all.push(...page.data);
    if (!page.has_more) return all;
    after = page.next_cursor;
  }
};

/** Its log, once its reader has caught up with it, as it does on a busy machine only after a while; or what there is then. */
const seenLogOf = async (http: StubbornHttp, load: SessionLoad): Promise<readonly StreamEvent[]> => {
  for (let tries = 0; ; tries += 1) {
    const events = await wholeLogOf(http, load.id);
    if (load.seen.length === events.length || tries === 100) return events;
    await wait(300);
  }
};

const checkedLog = (events: readonly StreamEvent[]): readonly string[] =>
  logFaults(events.map((event, index): Logged => ({ seq: index + 1, event: loggedEvent(event.type, event.created_at, event.data) })));

/** The turns that were cancelled by a submission with `onBusy: interrupt`: its command stands right before that turn is accepted, in one commit. */
const interruptedTurns = (events: readonly StreamEvent[], interrupting: ReadonlySet<string>): ReadonlySet<string> => {
  const found = new Set<string>();
  let cancelled: string | undefined;
  for (const { type, data } of events) {
    if (type === 'command.accepted') cancelled = data['kind'] === 'cancel' ? String(data['turn_id']) : undefined;
    if (type !== 'turn.accepted') continue;
    if (cancelled !== undefined && interrupting.has(String(data['turn_id']))) found.add(cancelled);
    cancelled = undefined;
  }
  return found;
};

const turnFaults = (load: SessionLoad, events: readonly StreamEvent[]): readonly string[] => {
  const interrupted = interruptedTurns(events, load.interrupting);
  return load.turns.flatMap((turn) => {
    const ends = events.filter((event) => outcomeEvents.has(event.type) && event.data['turn_id'] === turn);
    const [end] = ends;
    const lost = events.filter((event) => event.type === 'run.ended' && event.data['turn_id'] === turn && event.data['status'] === 'lost').length;
    const crashLoop = end?.type === 'turn.failed' && end.data['error_code'] === 'crash_loop' && lost >= 5;
    const cancelled = end?.type === 'turn.cancelled' && (load.cancelled.has(turn) || interrupted.has(turn));
    const right = ends.length === 1 && (end?.type === 'turn.completed' || cancelled || crashLoop);
    return right ? [] : [`turn ${turn} ended ${ends.map((event) => event.type).join(', ') || 'never'}`];
  });
};

const shown = ({ created_at, type, data }: StreamEvent): string => `${created_at} ${type} ${JSON.stringify(data).slice(0, 300)}`;

/** What a session that came to a standstill looked like: what was refused, what is open and how it came to that, and the end of its log. */
const standstill = async (http: StubbornHttp, load: SessionLoad, events: readonly StreamEvent[], children: readonly Child[]): Promise<readonly string[]> => {
  const open = async (session: string): Promise<readonly string[]> =>
    Object.keys((await http.call<{ required_actions: Record<string, unknown> }>('GET', `/agent-sessions/${session}/required-actions`)).required_actions);
  const about: string[] = [];
  for (const id of await open(load.id)) {
    const told = [...events, ...load.below].filter(
      ({ data }) => data['request_id'] === id || (data['request_ids'] as readonly string[] | undefined)?.includes(id),
    );
    about.push(`open: ${id}`, ...told.map((event) => `  of it: ${shown(event)}`));
  }
  for (const { id, log } of children.filter(({ id: child }) => about.some((line) => line.includes(child.slice('ses_'.length))))) {
    about.push(`open in ${id}: ${(await open(id)).join(', ') || 'nothing'}`, ...log.map((event) => `  there: ${shown(event)}`));
  }
  return [...about, ...new Set(load.refusals.map((refusal) => refusal.replace(/"request_id":"[^"]*"/, ''))), ...events.slice(-15).map(shown)];
};

/** What went wrong in a session and below it; empty when nothing did. */
export const loadFaults = async (http: StubbornHttp, load: SessionLoad): Promise<readonly string[]> => {
  const events = await seenLogOf(http, load);
  const faults = [...load.faults, ...checkedLog(events)];
  const accepted = events.filter((event) => event.type === 'turn.accepted').map((event) => String(event.data['turn_id']));
  if (accepted.join() !== load.turns.join()) faults.push(`accepted turns [${accepted.join(', ')}], the client was told of [${load.turns.join(', ')}]`);
  if (load.seen.map((event) => event.id).join() !== events.map((event) => event.id).join())
    faults.push(`its reader saw ${load.seen.length} events, the log has ${events.length}`);
  faults.push(...turnFaults(load, events), ...inputFaults(load, events), ...familyFaults(events));
  const children: Child[] = [];
  for (const started of events.filter(({ type }) => type === 'subagent.started')) {
    const id = String(started.data['child_session_id']);
    const log = await wholeLogOf(http, `${load.id}/subagents/${id}`);
    load.below.push(...log);
    children.push({ id, log });
    faults.push(...checkedLog(log).map((fault) => `child ${id}: ${fault}`), ...childFaults(events, { id, log }));
  }
  faults.push(...(await publishFaults(http, load, events)), ...(await limitFaults(http, load, events)));
  if (faults.some((fault) => fault.endsWith('never'))) faults.push(...(await standstill(http, load, events, children)));
  return faults.map((fault) => `${load.id}: ${fault}`);
};

/** Effects that happened twice, or that a result speaks of and that never happened. */
export const effectFaults = (file: string, loads: readonly SessionLoad[]): readonly string[] => {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `the effect ${line} happened twice`);
  const done = new Set(lines);
  const missing = loads.flatMap((load) =>
    [...load.seen, ...load.below].flatMap((event) => {
      if (event.type !== 'tool.completed' || event.data['name'] !== 'append' || !JSON.stringify(event.data).includes('"appended"')) return [];
      const line = `${event.data['turn_id']} ${event.data['tool_call_id']}`;
      return done.has(line) ? [] : [`the effect ${line} never happened`];
    }),
  );
  return [...twice, ...missing];
};

/** How much of each there was: a load that does not do what it is for proves nothing. */
export const tallyOf = (loads: readonly SessionLoad[]): Readonly<Record<string, number>> => {
  const events = loads.flatMap((load) => load.seen);
  const count = (type: string, more: (data: Record<string, unknown>) => boolean = () => true) =>
    events.filter((event) => event.type === type && more(event.data)).length;
  return {
    turns: loads.reduce((sum, load) => sum + load.turns.length, 0),
    'children in front': count('subagent.started', (data) => !data['background']),
    'children behind': count('subagent.started', (data) => data['background'] === true),
    steers: count('input.applied', (data) => data['kind'] === 'steer'),
    injects: count('input.applied', (data) => data['kind'] === 'inject'),
    'results heard': count('input.applied', (data) => data['kind'] === 'subagent'),
    interrupts: loads.reduce((sum, load) => sum + load.interrupting.size, 0),
    'budget stops': count('turn.interrupted', (data) => data['reason'] === 'budget_exceeded'),
    artifacts: count('artifact.published'),
  };
};

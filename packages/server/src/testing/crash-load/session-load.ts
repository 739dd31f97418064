/**
 * One session of the crash loads, and its client: submits, steers, injects, interrupts, cancels, answers, and raises the
 * budget when it is met; all of it from what its reader sees, and again until there is an answer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { outcomeEvents } from '@turnkeeper/core/session/events';
import type { Random } from '../harness/random.ts';
import type { StreamEvent, StubbornHttp } from '../harness/stubborn-http.ts';
import { messageFor } from './load-kinds.ts';

export type SessionLoad = {
  readonly id: string;
  readonly turns: string[];
  /** Turns that the client asked to cancel. */
  readonly cancelled: Set<string>;
  /** Turns whose submission cancelled whatever was under way. */
  readonly interrupting: Set<string>;
  /** What was said, by the id that its receipt gave. */
  readonly said: Map<string, string>;
  /** What was said and refused: it must be nowhere. */
  readonly unsaid: string[];
  /** Every limit of model calls that was ever asked for, each above those before: none where it has no budget. */
  readonly limits: number[];
  readonly seen: StreamEvent[];
  /** What its children's logs say, in the end. */
  readonly below: StreamEvent[];
  readonly outcomes: Map<string, string>;
  /** What its client was told that cannot be. */
  readonly faults: string[];
  /** What was refused; most because the turn had ended. Told with a turn that never ended. */
  readonly refusals: string[];
  /** Calls that are under way. */
  readonly calls: Set<Promise<unknown>>;
};

type Client = { readonly http: StubbornHttp; readonly load: SessionLoad };

const answerTo = (data: Record<string, unknown>): Record<string, unknown> => {
  if (data['kind'] === 'reconciliation') return { outcome: 'succeeded', output: 'looked up', reason: 'the test looked' };
  return data['kind'] === 'confirmation' ? { allow: true } : { output: 'paid' };
};

/** Lets a call go on beside the load; what is refused because something has ended is no fault. */
const beside = ({ load }: Client, call: Promise<unknown>): void => {
  const done = call
    .catch((error: unknown) => {
      const refusal = String(error);
      if (refusal.includes(': 409 ')) load.refusals.push(refusal);
      else load.faults.push(refusal);
    })
    .finally(() => load.calls.delete(done));
  load.calls.add(done);
};

const answer = ({ http }: Client, session: string, turn: string, request: string, data: Record<string, unknown>): Promise<unknown> =>
  // Answered already, by an answer whose receipt was lost with the server: the key's replay says so first.
  http.call('POST', `/agent-sessions/${session}/turns/${turn}/actions`, { request_id: request, payload: answerTo(data) }, `answer-${request}`);

type Budget = { readonly max_model_calls?: number; readonly used: { readonly model_calls: number } };

/** A little, so that it is met again. */
const raiseBy = 3;

const limit = async ({ http, load }: Client, calls: number): Promise<void> => {
  load.limits.push(calls);
  await http.call('PUT', `/agent-sessions/${load.id}/budget`, { max_model_calls: calls });
};

/** Raises a budget that is used up, and resumes the turn that it stopped. */
const goOn = async (client: Client, session: string, turn: string, because: string): Promise<void> => {
  const { http, load } = client;
  for (let n = 0; ; n += 1) {
    const { status } = await http.call<{ status: string }>('GET', `/agent-sessions/${session}/turns/${turn}`);
    if (status !== 'interrupted') return;
    const { max_model_calls: max = 0, used } = await http.call<Budget>('GET', `/agent-sessions/${load.id}/budget`);
    // An earlier limit may come late, from a connection that was cut: the highest is what may never be passed.
    if (used.model_calls > Math.max(...load.limits)) load.faults.push(`${used.model_calls} model calls under a limit of ${Math.max(...load.limits)}`);
    if (used.model_calls >= max) await limit(client, used.model_calls + raiseBy);
    await http
      .call('POST', `/agent-sessions/${session}/turns/${turn}/resume`, undefined, `resume-${because}-${n}`)
      .catch((error) => load.refusals.push(String(error)));
    await wait(200);
  }
};

/** A child in the background may stop when no turn of its parent waits for it: then it is looked after where it is. */
const lookAfter = async (client: Client, child: string, turn: string, because: string): Promise<void> => {
  const { required_actions: open } = await client.http.call<{ required_actions: Record<string, Record<string, unknown>> }>(
    'GET',
    `/agent-sessions/${child}/required-actions`,
  );
  // One that its parent shows, too, is answered once, here or there.
  for (const [request, data] of Object.entries(open)) beside(client, answer(client, child, turn, request, data));
  if (client.load.limits.length > 0) await goOn(client, child, turn, because);
};

const hear = (client: Client, event: StreamEvent): void => {
  const { load } = client;
  const { type, data } = event;
  load.seen.push(event);
  const turn = String(data['turn_id']);
  if (outcomeEvents.has(type)) load.outcomes.set(turn, type);
  if (type === 'required_action.created') beside(client, answer(client, load.id, turn, String(data['request_id']), data));
  if (type === 'turn.interrupted' && data['reason'] === 'budget_exceeded') beside(client, goOn(client, load.id, turn, event.id));
  if (type === 'subagent.updated' && data['status'] !== 'running') {
    const child = String(data['child_session_id']);
    const behind = load.seen.some((other) => other.type === 'subagent.started' && other.data['child_session_id'] === child && other.data['background']);
    if (behind) beside(client, lookAfter(client, child, String(data['child_turn_id']), event.id));
  }
};

type Receipt = { readonly id: string; readonly inputId?: string };

/** Submits one turn, now and then twice at once under its key; now and then it is cancelled again. */
const submitOne = async (client: Client, random: Random, key: string): Promise<void> => {
  const { http, load } = client;
  const onBusy = random.chance(0.06) ? 'interrupt' : random.chance(0.05) ? 'steer' : undefined;
  const body = { message: messageFor(random), ...(onBusy ? { onBusy } : {}) };
  const submit = () => http.call<Receipt>('POST', `/agent-sessions/${load.id}/turns`, body, key);
  const [turn, twin] = await Promise.all(random.chance(0.2) ? [submit(), submit()] : [submit()]);
  if (twin && twin.id !== turn.id) load.faults.push(`one key made two turns: ${turn.id} and ${twin.id}`);
  if (turn.inputId !== undefined) {
    load.said.set(turn.inputId, body.message);
    return;
  }
  load.turns.push(turn.id);
  if (onBusy === 'interrupt') load.interrupting.add(turn.id);
  if (!random.chance(0.08)) return;
  load.cancelled.add(turn.id);
  const later = random.below(1_500);
  // It may have ended meanwhile.
  beside(
    client,
    wait(later).then(() => http.call('POST', `/agent-sessions/${load.id}/turns/${turn.id}/cancel`, {}, `${key}-cancel`)),
  );
};

/** Says something to one of the newest turns, or to whichever comes. */
const sayOne = (client: Client, random: Random, key: string): void => {
  const { http, load } = client;
  const turn = load.turns.at(-1 - random.below(4));
  const to = turn !== undefined && random.chance(0.6) ? `turns/${turn}/steer` : 'inputs/inject';
  const message = `${key} says`;
  const say = async (): Promise<void> => {
    try {
      load.said.set((await http.call<{ input_id: string }>('POST', `/agent-sessions/${load.id}/${to}`, { message }, key)).input_id, message);
    } catch (error) {
      load.unsaid.push(message);
      throw error;
    }
  };
  beside(client, say());
};

export type LoadedSession = {
  readonly load: SessionLoad;
  /** Submits turns while `busy`, at most eight at a time unfinished, and says something now and then. */
  readonly work: (busy: () => boolean) => Promise<void>;
  readonly finish: () => Promise<void>;
};

export const openSession = async (http: StubbornHttp, agent: string, random: Random, stop: AbortSignal): Promise<LoadedSession> => {
  const name = `s${random.below(1_000_000_000)}`;
  const { id } = await http.call<{ id: string }>('POST', '/agent-sessions', { agent }, `${name}-create`);
  const lists = { turns: [], unsaid: [], limits: [], seen: [], below: [], faults: [], refusals: [] };
  const sets = { cancelled: new Set<string>(), interrupting: new Set<string>(), calls: new Set<Promise<unknown>>() };
  const load: SessionLoad = { id, ...lists, ...sets, said: new Map(), outcomes: new Map() };
  const client = { http, load };
  if (random.chance(0.3)) await limit(client, 2 + random.below(4));
  void http.follow(`/agent-sessions/${id}/events/stream`, (event) => hear(client, event), stop);
  const work = async (busy: () => boolean): Promise<void> => {
    for (let n = 0; busy(); n += 1) {
      if (load.turns.length - load.outcomes.size < 8) await submitOne(client, random, `${name}-${n}`);
      if (random.chance(0.3)) sayOne(client, random, `${name}-${n}-said`);
      await wait(random.below(2_000));
    }
  };
  return { load, work, finish: () => finishSession(client, `${name}-last`) };
};

const mostTries = 1_200;

/** Nothing is under way any more: no turn, no child, no call. */
const isOver = ({ turns, outcomes, seen, calls }: SessionLoad): boolean => {
  const count = (type: string): number => seen.filter((event) => event.type === type).length;
  return (
    outcomes.size >= turns.length &&
    calls.size === 0 &&
    count('subagent.completed') >= seen.filter((event) => event.data['child_session_id'] && event.type === 'tool.dispatched').length
  );
};

const untilOver = async (load: SessionLoad): Promise<void> => {
  for (let n = 0; !isOver(load) && n < mostTries; n += 1) await wait(100);
};

/** Waits until all has ended; then one more turn hears what waits for whichever turn comes. */
const finishSession = async ({ http, load }: Client, key: string): Promise<void> => {
  await untilOver(load);
  load.turns.push((await http.call<Receipt>('POST', `/agent-sessions/${load.id}/turns`, { message: '{"script": [{"text": "that was all"}]}' }, key)).id);
  await untilOver(load);
};

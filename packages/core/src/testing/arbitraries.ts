/**
 * Random but plausible lives of a session: mostly what a runner, people and applications would do next, now and then
 * what nobody should do.
 *
 * Owns: how a list of random choices becomes a history. A choice is read against the state, so that shrinking a list
 * still yields sensible histories.
 */
import fc from 'fast-check';
import type { Answer, AnswerPayload, Command, RequestedCall, SessionRules } from '../session/commands.ts';
import type { ContextRow } from '../session/context.ts';
import { decide } from '../session/decide.ts';
import type { Decision } from '../session/decision.ts';
import type { LoggedEvent } from '../session/events.ts';
import { emptyState, type LiveTurn, type OpenAction, type SessionState } from '../session/state.ts';
import {
  allow,
  answer,
  call,
  cancel,
  dispatch,
  fail,
  handedOver,
  itemDelta,
  lost,
  modelDone,
  modelFailed,
  openItem,
  restart,
  result,
  start,
  stopped,
  submit,
  succeeded,
  text,
  to,
  toolDone,
  turn,
  type Wish,
} from './commands.ts';
import { rowsOf } from './given.ts';

/** Small limits, so that random histories meet them. */
export const tightRules: SessionRules = { maxQueued: 4, maxSteps: 5, maxModelFailures: 3 };

type Choice = { readonly pick: number; readonly with: number };
const choice: fc.Arbitrary<Choice> = fc.record({ pick: fc.nat(9_999), with: fc.nat(0xffff) });
export const choices = (maxLength = 70): fc.Arbitrary<readonly Choice[]> => fc.array(choice, { maxLength, size: 'max' });

export type Step = { readonly command: Command; readonly decision: Decision; readonly before: SessionState };
export type History = {
  readonly steps: readonly Step[];
  readonly state: SessionState;
  readonly log: readonly LoggedEvent[];
  readonly rows: readonly ContextRow[];
  readonly at: number;
};

/** What has been named so far: ids are never used twice. */
type Names = { readonly turns: number; readonly calls: number; readonly commands: number };

const pickFrom = <Each>(list: readonly [Each, ...Each[]], by: number): Each => list[by % list.length] as Each;
/** A wish that may come next: how likely, and how it is made (only when it is chosen). */
type Option = { readonly times: number; readonly make: () => Wish };
const often = (times: number, make: () => Wish): Option => ({ times, make });
const chosen = (options: readonly Option[], by: number): Wish => {
  let left = by % options.reduce((sum, option) => sum + option.times, 0);
  for (const { times, make } of options) {
    if (left < times) return make();
    left -= times;
  }
  throw new Error('nothing to choose from');
};

const requestedCall = (id: string, bits: number, at: number): RequestedCall =>
  call(id, {
    executor: bits & 1 ? 'application' : 'server',
    asks: (bits & 6) === 6,
    replaySafe: (bits & 8) > 0,
    ...((bits & 48) === 48 ? { refusal: 'no such tool' } : {}),
    ...(bits & 64 ? { expiresAt: at + 500 } : {}),
  });

const modelAnswer = (bits: number, names: Names, at: number): Wish => {
  const count = bits % 251 === 0 ? 66 : pickFrom([0, 0, 1, 1, 2, 2, 3, 4], bits);
  const calls = Array.from({ length: count }, (_, n) => requestedCall(`c${names.calls + n}`, (bits * (n + 3)) >> 2, at));
  const { usage, cost, ...done } = modelDone(count === 0 ? 'that is all' : '', ...calls);
  return { ...done, ...(bits & 1 ? { usage: usage as NonNullable<typeof usage> } : {}), ...(bits & 2 ? { cost: cost as NonNullable<typeof cost> } : {}) };
};

/** What would answer this action. */
export const payloadFor = (action: OpenAction, bits = 0): AnswerPayload => {
  if (action.kind === 'confirmation')
    return bits & 1 ? { kind: 'confirmation', allow: false, reason: 'no' } : { ...allow, ...(bits & 2 ? { input: { edited: true } } : {}) };
  if (action.kind === 'reconciliation') return succeeded;
  return result('it is done', (bits & 1) > 0);
};

const answersTo = (live: LiveTurn, bits: number): readonly Answer[] => {
  const open = live.openActions.filter((_, n) => (bits >> n) & 1);
  const answered = open.length > 0 ? open : live.openActions.slice(0, 1);
  return answered.map((action) => (bits % 13 === 0 ? { ...to(action.id, result()), expectedVersion: 7 } : to(action.id, payloadFor(action, bits >> 4))));
};

const nameOf = (live: LiveTurn): string => live.id.slice('turn_'.length);

const ofRun = (live: LiveTurn, bits: number, names: Names, at: number): readonly Option[] => {
  const endings = [
    // Who has lost a run may well lose the next: crash loops happen.
    often(1 + live.lostRuns * 4, () => lost),
    often(1, () => handedOver),
    often(bits % 3 === 0 ? 1 : 0, () => fail()),
    often(bits % 5 === 0 ? 1 : 0, () => stopped('timed_out', 'so far')),
  ];
  if (live.cancelRequested) return [often(6, () => stopped('cancelled', 'as far as')), often(2, () => modelAnswer(bits, names, at)), ...endings];
  const open = live.calls.filter((entry) => entry.status === 'requested' || entry.status === 'dispatched');
  const one = open[bits % Math.max(open.length, 1)];
  if (one?.status === 'requested') return [often(9, () => dispatch(one.id)), ...endings];
  if (one) {
    const status = pickFrom(['success', 'success', 'success', 'error', 'unknown'] as const, bits >> 3);
    return [often(9, () => toolDone(one.id, status)), often(2, () => ({ type: 'tool_delta', callId: one.id, output: [text('…')] })), ...endings];
  }
  const piece = { type: 'tool_use', id: `c${names.calls}`, name: 'tool', content: '{' } as const;
  return [
    often(4, () => (live.open ? itemDelta(text(`w${bits} `), piece) : openItem)),
    often(8, () => modelAnswer(bits, names, at)),
    often(2, () => modelFailed({ retryable: bits % 4 > 0, retryAt: at + 100 })),
    ...endings,
  ];
};

/** What could well come next. */
const plausible = (state: SessionState, bits: number, names: Names, at: number): readonly Option[] => {
  const { live, last, queue } = state;
  const anyTurn = `t${bits % (names.turns + 1)}`;
  const commandId = `cmd_${names.commands}`;
  const act = live?.openActions[bits % Math.max(live.openActions.length, 1)];
  const lastName = last && bits % 2 ? last.id.slice('turn_'.length) : anyTurn;
  return [
    often(3, () => submit(`t${names.turns}`)),
    often(live || queue.length === 0 ? 0 : 8, () => start(`please ${names.turns}`, { alone: bits % 7 === 0 })),
    often(live?.status === 'queued' ? 8 : 0, () => restart({ alone: live !== undefined && live.lostRuns >= 2 })),
    ...(live?.status === 'running' ? ofRun(live, bits, names, at) : []),
    ...(live && act ? [often(4, () => ({ ...answer(nameOf(live), ...answersTo(live, bits)), commandId }))] : []),
    ...(act?.expiresAt === undefined ? [] : [often(2, () => ({ type: 'expire', requestId: act.id, at: Math.max(at, act.expiresAt ?? 0) }))]),
    often(1, () => cancel(live && bits % 2 ? nameOf(live) : anyTurn, commandId)),
    often(!live && last?.outcome === 'failed' ? 4 : 1, () => ({ type: 'resume', turnId: turn(lastName), commandId })),
    often(state.archived ? 4 : bits % 8 === 0 ? 1 : 0, () => ({ type: state.archived ? 'unarchive' : 'archive' })),
    often(bits % 97 === 0 ? 1 : 0, () => ({ type: 'delete' })),
    often(bits % 11 === 0 ? 1 : 0, () => outOfPlace(bits, names, at)),
  ];
};

/** What nobody should do: anything at any time. */
const outOfPlace = (bits: number, names: Names, at: number): Wish =>
  pickFrom(
    [
      start(),
      restart(),
      openItem,
      itemDelta(text('x')),
      modelAnswer(bits >> 4, names, at),
      modelFailed(),
      dispatch(`c${bits % 9}`),
      toolDone(`c${bits % 9}`),
      stopped(),
      lost,
      { type: 'expire', requestId: `act_t${bits % 3}_1` },
      answer(`t${bits % 3}`, to(`act_t${bits % 3}_1`, allow)),
    ],
    bits >> 2,
  );

export const play = (list: readonly Choice[], rules: SessionRules = tightRules): History => {
  const steps: Step[] = [];
  const log: LoggedEvent[] = [];
  const rows: ContextRow[] = [];
  let state = emptyState;
  let at = 1_000;
  let names: Names = { turns: 0, calls: 0, commands: 0 };
  for (const { pick, with: bits } of list) {
    at += 1 + (bits % 200);
    const wish = chosen(plausible(state, bits, names, at), pick);
    const command = { ...wish, at: wish.at ?? at } as Command;
    at = command.at;
    const decision = decide(state, command, rules);
    steps.push({ command, decision, before: state });
    names = {
      turns: names.turns + (command.type === 'submit' ? 1 : 0),
      calls: names.calls + (command.type === 'model_done' ? command.calls.length : 0),
      commands: names.commands + 1,
    };
    if (!decision.ok) continue;
    rows.push(...rowsOf(decision.context, log.length));
    log.push(...decision.events);
    state = decision.state;
  }
  return { steps, state, log, rows, at };
};

/** A history of a session, replayable: fast-check prints the choices that it shrank to. */
export const history = (maxLength?: number): fc.Arbitrary<History> =>
  choices(maxLength).map((list) => {
    const played = play(list);
    // What is printed of a counterexample: the commands, refused ones marked.
    const printed = (): string => played.steps.map(({ command, decision }) => `\n${decision.ok ? '' : '(refused) '}${JSON.stringify(command)}`).join('');
    return { ...played, [fc.toStringMethod]: printed };
  });

/**
 * Random but plausible lives of a session: mostly what a runner, people and applications would do next, now and then
 * what nobody should do.
 *
 * Owns: how a list of random choices becomes a history. A choice is read against the state, so that shrinking a list
 * still yields sensible histories.
 */
import fc from 'fast-check';
import type { Answer, AnswerPayload, Command, JudgedOutput, RequestedCall, SessionRules } from '../session/commands.ts';
import type { ContextRow } from '../session/context.ts';
import { inputsFor } from '../session/decide/inputs.ts';
import { decide } from '../session/decide.ts';
import type { Decision } from '../session/decision.ts';
import type { LoggedEvent } from '../session/events.ts';
import type { Inquiry } from '../session/inquiry.ts';
import { emptyState, type LiveTurn, type OpenAction, type SessionState } from '../session/state.ts';
import { tooLong } from '../session/too-long.ts';
import {
  allow,
  answer,
  answered,
  applyInputs,
  askForm,
  asking,
  call,
  cancel,
  deleteArtifact,
  deny,
  dispatch,
  exceedBudget,
  fail,
  handedOver,
  inject,
  inquiring,
  itemDelta,
  lost,
  modelDone,
  modelFailed,
  noteBudget,
  openItem,
  publishArtifact,
  question,
  remember,
  reorder,
  restart,
  result,
  start,
  steer,
  stopped,
  submit,
  succeeded,
  takeBackForm,
  text,
  to,
  toolDone,
  toolsLost,
  turn,
  type Wish,
  warnBudget,
} from './commands.ts';
import { childWish, compactWish, contextWishes, delegatedCall } from './family-wishes.ts';
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
/** The context so far, and where in it nothing was under way. */
type Context = { readonly rows: readonly ContextRow[]; readonly places: readonly number[] };

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

const inquiries: readonly [Inquiry, ...Inquiry[]] = [
  { kind: 'form', form: { title: 'Who?', schema: { type: 'object' } } },
  { kind: 'approval', prompt: 'Really?' },
  { kind: 'signal', signalName: 'go' },
];
const outputs: readonly [JudgedOutput, ...JudgedOutput[]] = [
  { ok: true, result: { said: 'all' } },
  { ok: false, errorCode: 'output_schema_violation', faults: ['no'], repair: 'again' },
  { ok: false, errorCode: 'output_mapping_failed', faults: ['no'] },
];

const requestedCall = (id: string, bits: number, at: number): RequestedCall => (bits % 6 === 5 ? delegatedCall(id, bits >> 2) : ordinaryCall(id, bits, at));

const ordinaryCall = (id: string, bits: number, at: number): RequestedCall =>
  call(id, {
    // Few names, so that a tool which was allowed for the session comes again.
    name: `tool_${(bits >> 4) % 3}`,
    executor: bits & 1 ? 'application' : 'server',
    asks: (bits & 6) === 6,
    alwaysAsks: bits % 5 === 0,
    ...(bits % 11 === 0 ? inquiring(pickFrom(inquiries, bits >> 3)) : {}),
    ...(bits % 7 === 0 ? asking(...(bits % 3 === 0 ? [] : [question('size'), question('colour', { multi_select: true })])) : {}),
    replaySafe: (bits & 8) > 0,
    ...((bits & 48) === 48 ? { refusal: 'no such tool' } : {}),
    ...(bits & 64 ? { expiresAt: at + 500 } : {}),
  });

const modelAnswer = (bits: number, names: Names, at: number): Wish => {
  const count = bits % 251 === 0 ? 66 : pickFrom([0, 0, 1, 1, 2, 2, 3, 4], bits);
  const calls = Array.from({ length: count }, (_, n) => requestedCall(`c${names.calls + n}`, (bits * (n + 3)) >> 2, at));
  const { usage, cost, ...done } = modelDone(count === 0 ? 'that is all' : '', ...calls);
  const judged = count === 0 && bits % 3 === 0 ? { output: pickFrom(outputs, bits >> 2) } : {};
  return {
    ...done,
    ...judged,
    ...(bits & 1 ? { usage: usage as NonNullable<typeof usage> } : {}),
    ...(bits & 2 ? { cost: cost as NonNullable<typeof cost> } : {}),
  };
};

/** What would answer this action. */
export const payloadFor = (action: OpenAction, bits = 0): AnswerPayload => {
  if (action.kind === 'confirmation')
    return bits & 1
      ? { kind: 'confirmation', allow: false, reason: 'no' }
      : { ...(bits & 4 && action.canRemember ? remember : allow), ...(bits & 2 ? { input: { edited: true } } : {}) };
  if (action.kind === 'question') return answered({ size: 'L', colour: ['red', 'of the sea'] });
  if (action.kind === 'reconciliation') return succeeded;
  if (action.kind === 'form') return bits & 1 ? { kind: 'form', submitted: false } : { kind: 'form', submitted: true, values: { who: 'me' }, sealed: 'sealed' };
  if (action.kind === 'approval') return { kind: 'approval', approved: (bits & 1) === 0 };
  if (action.kind === 'signal') return { kind: 'signal', payload: bits };
  return result('it is done', (bits & 1) > 0);
};

const answersTo = (live: LiveTurn, bits: number): readonly Answer[] => {
  // A child's are answered there: now and then somebody tries here.
  const own = bits % 19 === 0 ? live.openActions : live.openActions.filter(({ childId }) => childId === undefined);
  const open = own.filter((_, n) => (bits >> n) & 1);
  const chosenOnes = open.length > 0 ? open : live.openActions.slice(0, 1);
  return chosenOnes.map((action) => (bits % 13 === 0 ? { ...to(action.id, result()), expectedVersion: 7 } : to(action.id, payloadFor(action, bits >> 4))));
};

const nameOf = (live: LiveTurn): string => live.id.slice('turn_'.length);

const ofRun = (live: LiveTurn, bits: number, names: Names, at: number, rows: readonly ContextRow[]): readonly Option[] => {
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
  if (one?.status === 'requested') return [often(9, () => ({ type: 'dispatch', callId: one.id, input: { background: (bits & 1) > 0 } })), ...endings];
  if (one) {
    const status = pickFrom(['success', 'success', 'success', 'error', 'unknown'] as const, bits >> 3);
    const found = bits % 5 === 0 ? { found: [`found_${bits % 90}`, 'found'] } : {};
    const done = toolDone(one.id, status) as Extract<Wish, { type: 'tool_done' }>;
    return [
      often(9, () => ({ ...done, outcome: { ...done.outcome, ...found } })),
      often(2, () => ({ type: 'tool_delta', callId: one.id, output: [text('…')] })),
      often(6, () => askForm(one.id, bits & 64 ? { expiresAt: at + 300 } : {})),
      often(1, () => takeBackForm(one.id)),
      often(2, () => toolsLost(...open.filter(({ status: is }) => is === 'dispatched').map(({ id }) => id))),
      ...endings,
    ];
  }
  const piece = { type: 'tool_use', id: `c${names.calls}`, name: 'tool', content: '{' } as const;
  return [
    often(4, () => (live.open ? itemDelta(text(`w${bits} `), piece) : openItem)),
    often(8, () => modelAnswer(bits, names, at)),
    often(2, () => modelFailed({ retryable: bits % 4 > 0, retryAt: at + 100 })),
    often(bits % 3 === 0 ? 2 : 0, () => ({ ...modelFailed({ retryable: false, retryAt: at }), errorCode: tooLong, compacts: bits % 2 > 0 }) as Wish),
    often(live.compaction === 'owed' || bits % 3 === 0 ? 4 : 0, () => compactWish(rows, bits) ?? openItem),
    often(bits % 4 === 0 ? 4 : 0, () => exceedBudget),
    ...endings,
  ];
};

/** What is said meanwhile, and what a runner does with it before it calls the model. */
const inputWishes = (state: SessionState, bits: number, names: Names): readonly Option[] => {
  const { live } = state;
  const waiting = live?.status === 'running' ? inputsFor(state, live.id).map(({ id }) => id) : [];
  return [
    often(live ? 3 : 1, () => steer(live && bits % 4 ? nameOf(live) : `t${bits % (names.turns + 1)}`, names.commands)),
    often(1, () => inject(names.commands)),
    // Mostly all of them; or as many as one commit takes.
    often(waiting.length > 0 ? 8 : 0, () => applyInputs(...waiting.slice(0, bits % 5 === 0 ? 1 : waiting.length))),
  ];
};

const shuffled = (queue: SessionState['queue'], bits: number): readonly string[] => {
  const names = queue.map(({ id }) => id.slice('turn_'.length));
  const from = bits % names.length;
  const order = [...names.slice(from), ...names.slice(0, from)];
  // Now and then one that was made for another queue.
  return bits % 7 === 0 ? order.slice(1) : order;
};

/** What could well come next. */
const plausible = (state: SessionState, bits: number, names: Names, at: number, { rows, places }: Context): readonly Option[] => {
  const { live, last, queue, children = [] } = state;
  const child = children[bits % Math.max(children.length, 1)];
  const anyTurn = `t${bits % (names.turns + 1)}`;
  const commandId = `cmd_${names.commands}`;
  const act = live?.openActions[bits % Math.max(live.openActions.length, 1)];
  const lastName = last && bits % 2 ? last.id.slice('turn_'.length) : anyTurn;
  return [
    often(3, () => submit(`t${names.turns}`)),
    often(live || queue.length === 0 ? 0 : 8, () => start(`please ${names.turns}`, { alone: bits % 7 === 0 })),
    often(live?.status === 'queued' ? 8 : 0, () => restart({ alone: live !== undefined && live.lostRuns >= 2 })),
    ...(live?.status === 'running' ? ofRun(live, bits, names, at, rows) : []),
    ...(child ? [often(8, () => childWish(child, state, bits >> 1, names.commands))] : []),
    ...contextWishes(state, places, bits).map((wish) => often(live || queue.length > 0 ? 0 : 2, () => wish)),
    ...inputWishes(state, bits, names),
    often(queue.length > 1 ? 2 : 0, () => reorder(...shuffled(queue, bits))),
    ...(live && act ? [often(4, () => ({ ...answer(nameOf(live), ...answersTo(live, bits)), commandId }))] : []),
    ...(act?.expiresAt === undefined ? [] : [often(2, () => ({ type: 'expire', requestId: act.id, at: Math.max(at, act.expiresAt ?? 0) }))]),
    often(1, () => cancel(live && bits % 2 ? nameOf(live) : anyTurn, commandId)),
    often(!live && last?.outcome === 'failed' ? 4 : 1, () => ({ type: 'resume', turnId: turn(lastName), commandId })),
    ...(live?.status === 'interrupted' ? [often(4, () => ({ type: 'resume', turnId: live.id, commandId }))] : []),
    often(bits % 6 === 0 ? 2 : 0, () => warnBudget(bits % 13, 10, pickFrom(['max_total_tokens', 'max_tokens_per_turn'] as const, bits >> 4))),
    often(bits % 23 === 0 ? 1 : 0, () => noteBudget(bits, bits % 2 ? { max_total_tokens: 50 } : {})),
    often(state.archived ? 4 : bits % 8 === 0 ? 1 : 0, () => ({ type: state.archived ? 'unarchive' : 'archive' })),
    often(bits % 5 === 0 ? 2 : 0, () => publishArtifact(names.commands, live && bits % 2 ? nameOf(live) : undefined)),
    often(bits % 7 === 0 ? 2 : 0, () => deleteArtifact(bits % (names.commands + 1), live && bits % 2 ? nameOf(live) : undefined)),
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
      exceedBudget,
      openItem,
      itemDelta(text('x')),
      modelAnswer(bits >> 4, names, at),
      modelFailed(),
      dispatch(`c${bits % 9}`),
      toolDone(`c${bits % 9}`),
      stopped(),
      askForm(`c${bits % 9}`),
      takeBackForm(`c${bits % 9}`),
      toolsLost(`c${bits % 9}`),
      lost,
      applyInputs(`inp_${bits % 9}`),
      reorder(`t${bits % 3}`, `t${(bits + 1) % 3}`),
      { type: 'expire', requestId: `act_t${bits % 3}_1` },
      answer(`t${bits % 3}`, to(`act_t${bits % 3}_1`, allow)),
      answer(`t${bits % 3}`, to(`act_t${bits % 3}_1`, pickFrom([remember, { ...deny, remember: 'session' } as const, answered()], bits >> 4))),
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
  const places: number[] = [];
  for (const { pick, with: bits } of list) {
    at += 1 + (bits % 200);
    const wish = chosen(plausible(state, bits, names, at, { rows, places }), pick);
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
    if (!state.live && state.turns > 0) places.push(log.length);
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

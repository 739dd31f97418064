/**
 * Given–when–then for sessions: a history of commands or events, one command, and what came of it.
 *
 * Owns: how a case is written down and how it fails: with both sides in the message. Needs no test runner.
 */
import { canonicalJson } from '../protocol/json.ts';
import type { Command, SessionRules } from '../session/commands.ts';
import { defaultRules } from '../session/commands.ts';
import type { ContextEntry, ContextRow } from '../session/context.ts';
import { decide } from '../session/decide.ts';
import type { Decision } from '../session/decision.ts';
import type { EventData, EventType, LoggedEvent, SessionEvent } from '../session/events.ts';
import { evolve } from '../session/evolve.ts';
import { emptyState, type LiveTurn, type SessionState } from '../session/state.ts';
import type { Wish } from './commands.ts';

/** All that a history left: the state, the log and the context. */
export type Story = { readonly state: SessionState; readonly events: readonly LoggedEvent[]; readonly rows: readonly ContextRow[]; readonly at: number };
export const emptyStory: Story = { state: emptyState, events: [], rows: [], at: 1_000 };

const isEvent = (step: Wish | SessionEvent): step is SessionEvent => step.type.includes('.');
const timed = (wish: Wish, at: number): Command => ({ ...wish, at: wish.at ?? at }) as Command;

/** The context rows of a decision: their `n` is the place of the event that they rest on, as in a store. */
export const rowsOf = (context: readonly { readonly at: number; readonly entry: ContextEntry }[], before: number): readonly ContextRow[] =>
  context.map(({ at, entry }) => ({ n: before + at + 1, entry }));

export const tell = (story: Story, steps: readonly (Wish | SessionEvent)[], rules: SessionRules = defaultRules): Story => {
  let { state, at } = story;
  const events = [...story.events];
  const rows = [...story.rows];
  for (const step of steps) {
    at += 10;
    if (isEvent(step)) {
      const event = { ...step, at };
      events.push(event);
      state = evolve(state, event);
      continue;
    }
    const command = timed(step, at);
    at = Math.max(at, command.at);
    const decision = decide(state, command, rules);
    if (!decision.ok) throw new Error(`given: ${step.type} was refused: ${decision.code}: ${decision.detail}`);
    rows.push(...rowsOf(decision.context, events.length));
    events.push(...decision.events);
    state = decision.state;
  }
  return { state, events, rows, at };
};

const check = (same: boolean, what: string, wanted: unknown, got: unknown): void => {
  if (!same) throw new Error(`${what}\n  expected: ${JSON.stringify(wanted)}\n  received: ${JSON.stringify(got)}`);
};
const equal = (what: string, wanted: unknown, got: unknown): void => check(canonicalJson(wanted) === canonicalJson(got), what, wanted, got);

/** True when each member of `part` stands in `whole` with the same value. */
const covers = (whole: unknown, part: object): boolean =>
  Object.entries(part).every(([key, value]) => canonicalJson((whole as Record<string, unknown>)[key]) === canonicalJson(value));

const accepted = (decision: Decision): Extract<Decision, { ok: true }> => {
  if (!decision.ok) throw new Error(`expected events, but it was refused: ${decision.code}: ${decision.detail}`);
  return decision;
};

/** What can be said of a decision. Each returns the same object, to be chained. */
export type Then = {
  readonly decision: Decision;
  /** The whole history, this decision included. */
  readonly story: () => Story;
  /** Exactly these events, in this order; announcements of the session's status included. */
  readonly thenEvents: (...types: readonly EventType[]) => Then;
  /** One event of this type has these members (the first such event). */
  readonly thenEvent: <Type extends EventType>(type: Type, data: Partial<EventData<Type>>) => Then;
  readonly thenNot: (...types: readonly EventType[]) => Then;
  readonly thenRefused: (code: string, details?: Record<string, unknown>) => Then;
  /** The members of the live turn. */
  readonly thenLive: (part: Partial<LiveTurn> | undefined) => Then;
  readonly thenState: (look: (state: SessionState) => void) => Then;
};

const thenOf = (before: Story, decision: Decision): Then => {
  const types = () => accepted(decision).events.map((event) => event.type);
  const then: Then = {
    decision,
    story: () => {
      const { state, events, context } = accepted(decision);
      return { state, events: [...before.events, ...events], rows: [...before.rows, ...rowsOf(context, before.events.length)], at: before.at + 10 };
    },
    thenEvents: (...wanted) => {
      equal('events', wanted, types());
      return then;
    },
    thenEvent: (type, data) => {
      const found = accepted(decision).events.filter((event) => event.type === type);
      check(
        found.some((event) => covers(event.data, data)),
        `no ${type} with these members`,
        data,
        found.length > 0 ? found.map((event) => event.data) : types(),
      );
      return then;
    },
    thenNot: (...unwanted) => {
      equal(
        'unwanted events',
        [],
        types().filter((type) => unwanted.includes(type)),
      );
      return then;
    },
    thenRefused: (code, details = {}) => {
      if (decision.ok) throw new Error(`expected a refusal ${code}, but got ${types().join(', ')}`);
      equal('refusal', code, decision.code);
      check(covers(decision.details, details), 'details of the refusal', details, decision.details);
      return then;
    },
    thenLive: (part) => {
      const { live } = accepted(decision).state;
      if (part === undefined) equal('live turn', null, live ?? null);
      else check(live !== undefined && covers(live, part), 'live turn', part, live);
      return then;
    },
    thenState: (look) => {
      look(accepted(decision).state);
      return then;
    },
  };
  return then;
};

/** `given(submit('a'), start()).when(cancel('a')).thenEvents(…)`. */
export const given = (...steps: readonly (Wish | SessionEvent)[]) => givenWith(defaultRules, ...steps);

export const givenWith = (rules: SessionRules, ...steps: readonly (Wish | SessionEvent)[]) => {
  const story = tell(emptyStory, steps, rules);
  return { story, when: (wish: Wish): Then => thenOf(story, decide(story.state, timed(wish, story.at + 10), rules)) };
};

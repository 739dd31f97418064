/**
 * Budgets of this process: whether a model call may be made, and what is said before a limit is met.
 *
 * Owns: which limits a call counts for, and when they are looked at. The arithmetic is core's (session/budget), the counting of
 * calls the store's (ports/budgets).
 *
 * BA1 A limit holds from the next call on, on every node: where others write the same store it is read for each call, and no
 *     call rests on what was known before. Where nobody else does, what is not limited costs nothing.
 * BA2 A call counts for every limited session from its own up to the root, and is let through by all of them or none.
 * BA4 A session that was made with a caller's context counts for the caller's limits, too: those of the tree in which it was made, of
 *     the caller's own caller, and so on.
 * BA3 Warnings are facts of the session whose limit it is. Who cannot give one now gives it with the next call.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import {
  addSpent,
  type Exceeded,
  exceeded,
  type LimitUse,
  nothingSpent,
  percentPassed,
  type Spending,
  type Spent,
  usesOf,
} from '@turnkeeper/core/session/budget';
import { parentTurnOf, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { noUsage, type UsageBody, type UsageSums, unreportedCalls } from '@turnkeeper/core/view/usage';
import type { BudgetStore, CallerPlace, LimitedSession, SessionUse } from '../ports/budgets.ts';
import type { FrozenConfig, MinitoolPart } from './frozen-config.ts';
import { isChild } from './is-child.ts';
import type { Session } from './lane.ts';
import type { Sessions } from './sessions.ts';

export type Admission = 'free' | 'taken' | { readonly exceeded: Exceeded; readonly sessionId?: SessionId };

/** How far back callers are looked for: one that makes one that makes one ends somewhere. */
const mostCallers = 32;

/** A session whose limits a call counts for, and its turn in which the call is made, directly or below it. */
type Limited = Pick<LimitedSession, 'id' | 'path' | 'budget'> & { readonly root: SessionId; readonly turnId: TurnId };
/** A session of which limits are looked for, and its turn. */
type Place = Pick<Session, 'config'> & CallerPlace & { readonly id: SessionId };
type Measured = { readonly limited: Limited; readonly spending: Spending };
type Report = (error: unknown, about: { readonly sessionId: string }) => void;

export type BudgetsOptions = {
  readonly store: BudgetStore;
  readonly sessions: Sessions;
  /** Other processes set limits, too. */
  readonly shared: boolean;
  readonly report: Report;
};

export class Budgets {
  readonly store: BudgetStore;
  readonly #sessions: Sessions;
  readonly #shared: boolean;
  readonly #report: Report;
  /** Roots of trees with limits, where nobody else sets any (BA1). */
  #roots: Promise<Set<SessionId>> | undefined;

  constructor({ store, sessions, shared, report }: BudgetsOptions) {
    this.store = store;
    this.#sessions = sessions;
    this.#shared = shared;
    this.#report = report;
  }

  /** To be told before limits of this tree are set. */
  async willLimit(root: SessionId): Promise<void> {
    if (!this.#shared) (await this.#limitedRoots()).add(root);
  }

  /** Whether the next model call of a session's turn may be made; `call` names it. It is taken then, for good. */
  async admit(session: Session, turnId: TurnId, call: string): Promise<Admission> {
    const { limits, callers } = await this.#limitsOf(session, turnId);
    if (limits.length === 0) return 'free';
    const measured = await this.#measure(limits);
    for (const { limited, spending } of measured) {
      // Calls are counted under their lock.
      const { max_model_calls: _, ...others } = limited.budget;
      const found = exceeded(others, spending);
      if (found) return this.#stopped(session, measured, limited.id, found);
    }
    if (limits.every(({ budget }) => budget.max_model_calls === undefined)) return 'taken';
    const { root, path } = session.row;
    const full = await this.store.take({ root, path, sid: session.head.sid, call, callers });
    if (!full) return 'taken';
    return this.#stopped(session, measured, full.id, { limit: 'max_model_calls', reason: 'reached', used: full.used, max: full.max });
  }

  /** Says how near those limits are that the session's calls count for. Never rejects. */
  async warn(session: Session, turnId: TurnId): Promise<void> {
    try {
      const { limits } = await this.#limitsOf(session, turnId);
      if (limits.length > 0) await this.#warnOf(await this.#measure(limits));
    } catch (error) {
      this.#unsaid(error, session);
    }
  }

  /** What a session with all below it used, and what its turn did. */
  async spending({ row: { id, path, root } }: Pick<Session, 'row'>, turnId: TurnId | undefined, currency: string | undefined): Promise<Spending> {
    const uses = await this.store.uses(root);
    return { all: sum(below(uses, path), currency), turn: turnId === undefined ? nothingSpent : await this.#inTurn(uses, id, turnId) };
  }

  async #stopped(session: Session, measured: readonly Measured[], of: SessionId, found: Exceeded): Promise<Admission> {
    await this.#warnOf(measured).catch((error: unknown) => this.#unsaid(error, session));
    return { exceeded: found, ...(of === session.row.id ? {} : { sessionId: of }) };
  }

  /** A store that cannot be written, or a session that is gone, is nobody's fault here (BA3). */
  #unsaid(error: unknown, { row }: Pick<Session, 'row'>): void {
    if (!(error instanceof TurnkeeperError)) this.#report(error, { sessionId: row.id });
  }

  async #warnOf(measured: readonly Measured[]): Promise<void> {
    for (const { limited, spending } of measured) {
      const uses = usesOf(limited.budget, spending).filter((use) => percentPassed(use) !== undefined);
      if (uses.length > 0) await this.#say(limited.id, uses);
    }
  }

  async #say(id: SessionId, uses: readonly LimitUse[]): Promise<void> {
    const found = await this.#sessions.find(id);
    if (!found || found.session.row.deletedAt !== null) return;
    const { warned = {} } = found.session.state;
    if (uses.every((use) => (warned[use.limit] ?? 0) >= (percentPassed(use) ?? 0))) return;
    await found.lane.command(() => ({ asks: [{ type: 'warn_budget', uses }] }));
  }

  /** Binds a session that is made next to the limits of the session whose context it takes (BA4). */
  async link(sessionId: SessionId, caller: { readonly sessionId: SessionId; readonly turnId: TurnId }): Promise<void> {
    const callers = await this.#callersFrom(caller);
    await this.store.link(
      sessionId,
      callers.map(({ root, path, turnId }) => ({ root, path, turnId })),
    );
  }

  /** The session whose context was taken, that one's caller, and so on. */
  async #callersFrom(first: NonNullable<MinitoolPart['caller']> | undefined): Promise<readonly Place[]> {
    const places: Place[] = [];
    for (let caller = first; caller && places.length < mostCallers; ) {
      const found = await this.#sessions.find(caller.sessionId);
      if (!found) break;
      const { row, config } = found.session;
      places.push({ id: row.id, root: row.root, path: row.path, turnId: caller.turnId, config });
      caller = (await this.#rootConfig(found.session))?.minitool?.caller;
    }
    return places;
  }

  async #rootConfig({ row, config }: Pick<Session, 'row' | 'config'>): Promise<FrozenConfig | undefined> {
    return isChild(row) ? (await this.#sessions.find(row.root))?.session.config : config;
  }

  /** The limits that a call of the session counts for (BA2, BA4). */
  async #limitsOf({ row, config }: Session, turnId: TurnId): Promise<{ readonly limits: readonly Limited[]; readonly callers: readonly Place[] }> {
    const callers = await this.#callersFrom((await this.#rootConfig({ row, config }))?.minitool?.caller);
    const own: Place = { id: row.id, root: row.root, path: row.path, turnId, config };
    const limits = await Promise.all([own, ...callers].map((place) => this.#limitsAbove(place)));
    return { limits: limits.flat(), callers };
  }

  /** Within one tree, the root's first. */
  async #limitsAbove({ id, root, path, turnId, config }: Place): Promise<readonly Limited[]> {
    const stored = (await this.#mayBeLimited(root)) ? await this.store.limited(root) : [];
    const { maxTokensPerTurn } = config;
    if (stored.length === 0 && maxTokensPerTurn === undefined) return [];
    const turns = turnsAbove(id, path, turnId);
    const above = stored.flatMap((limited): Limited[] => {
      const turn = isWithin(path, limited.path) ? turns[depthOf(limited.path)] : undefined;
      return turn === undefined ? [] : [{ id: limited.id, root, path: limited.path, budget: limited.budget, turnId: turn }];
    });
    const top = turns[0];
    if (maxTokensPerTurn === undefined || top === undefined) return above;
    // Frozen at the root's creation, and in force until another one is set in its place.
    const [first, ...rest] = above[0]?.path === '' ? above : [{ id: root, root, path: '', budget: {}, turnId: top }, ...above];
    return first ? [{ ...first, budget: { max_tokens_per_turn: maxTokensPerTurn, ...first.budget } }, ...rest] : rest;
  }

  async #measure(limits: readonly Limited[]): Promise<readonly Measured[]> {
    const trees = new Map(limits.map(({ root }) => [root, this.store.uses(root)]));
    const measure = async (limited: Limited): Promise<Measured> => {
      const { id, root, path, budget, turnId } = limited;
      const uses = (await trees.get(root)) ?? [];
      const turn = budget.max_tokens_per_turn === undefined ? nothingSpent : await this.#inTurn(uses, id, turnId);
      return { limited, spending: { all: sum(below(uses, path), budget.currency), turn } };
    };
    return Promise.all(limits.map(measure));
  }

  /** What a turn used, and the children that were made in it, and theirs: their ids begin with its own. */
  async #inTurn(uses: readonly SessionUse[], id: SessionId, turnId: TurnId): Promise<Spent> {
    const sid = uses.find((use) => use.id === id)?.sid;
    const row = sid === undefined ? undefined : await this.#sessions.store.resource(sid, turnId);
    const own = row?.kind === 'turn' ? spentOf((JSON.parse(row.body) as TurnBody).usage, 0, undefined) : nothingSpent;
    const beginning = `ses_${turnId.slice('turn_'.length)}-`;
    return addSpent(
      own,
      sum(
        uses.filter((use) => use.id.startsWith(beginning) || use.turn === turnId || use.turn?.startsWith(`${turnId}-`) === true),
        undefined,
      ),
    );
  }

  async #mayBeLimited(root: SessionId): Promise<boolean> {
    return this.#shared || (await this.#limitedRoots()).has(root);
  }

  #limitedRoots(): Promise<Set<SessionId>> {
    this.#roots ??= this.store.limitedRoots().then(
      (roots) => new Set(roots),
      (error: unknown) => {
        this.#roots = undefined;
        throw error;
      },
    );
    return this.#roots;
  }
}

const isWithin = (path: string, above: string): boolean => above === '' || path === above || path.startsWith(`${above}/`);
const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length);
const below = (uses: readonly SessionUse[], path: string): readonly SessionUse[] => uses.filter((use) => isWithin(use.path, path));

/** The turns in which a turn was asked for, from the root's on down to itself. */
const turnsAbove = (id: SessionId, path: string, turnId: TurnId): readonly TurnId[] => {
  const turns: TurnId[] = [turnId];
  let child: string = id;
  for (let depth = depthOf(path); depth > 0; depth -= 1) {
    const above = parentTurnOf(child);
    turns.unshift(above);
    child = `ses_${above.slice('turn_'.length)}`;
  }
  return turns;
};

const sum = (uses: readonly SessionUse[], currency: string | undefined): Spent =>
  uses.map(({ usage, calls }) => spentOf(usage ?? noUsage, calls, currency)).reduce(addSpent, nothingSpent);

/** `taken`: model calls that count though nothing is reported of them yet. */
const spentOf = (usage: UsageBody, taken: number, currency: string | undefined): Spent => {
  const foreign = currency === undefined ? 0 : Object.values(usage.by_model).reduce((calls, model) => calls + pricedOtherwise(model, currency), 0);
  return {
    model_calls: Math.max(usage.model_calls, taken),
    total_tokens: usage.total_tokens,
    unreported_calls: unreportedCalls(usage),
    cost: usage.estimated_cost,
    unpriced_calls: usage.unpriced_calls + foreign,
  };
};

/** Calls that cost something in another currency: in this one their cost is not known. */
const pricedOtherwise = (model: UsageSums, currency: string): number => (model.estimated_cost > 0 && model.currency !== currency ? model.model_calls : 0);

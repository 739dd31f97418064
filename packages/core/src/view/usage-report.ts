/**
 * What turns used, summed by day, model, session, target, owner or key. Pure.
 *
 * UX1 A turn counts once, at the moment at which it began, whatever it is grouped by. What has no price is said of each
 *     group that it is in (`cost_complete`), never counted as zero.
 * UK1 By key, a turn belongs to the token or key that it was submitted with, also through a browser's token that was made with it; where
 *     none was used (a schedule, a mini-tool) to who submitted it, and to the key '' where that was not noted yet.
 * UX2 Groups stand in the order of what they cost, then of their tokens; days in their own. Those that are left out are counted.
 */
import type { Submitter } from '../session/events.ts';
import { noUsage, sumUsage, type UsageBody, type UsageSums } from './usage.ts';

export const usageGroupings = ['day', 'model', 'session', 'target', 'owner', 'key'] as const;
export type UsageGrouping = (typeof usageGroupings)[number];

export type ReportedTurn = Submitter & {
  readonly session_id: string;
  readonly session_title: string;
  /** `agent:<id>`. */
  readonly target: string;
  readonly target_name: string;
  /** `user:<id>`, `app:<id>`, `minitool:<id>`. */
  readonly owner: string;
  readonly turn_id: string;
  readonly preview: string;
  /** When it began (Unix ms). */
  readonly at: number;
  readonly usage: UsageBody;
};

export type UsageGroup = {
  readonly key: string;
  readonly name: string;
  /** Of a key: whose it is, `user:<id>` or the like. */
  readonly submitted_by?: string;
  readonly turns: number;
  readonly usage: UsageSums;
};
export type CostlyTurn = Pick<ReportedTurn, 'session_id' | 'session_title' | 'turn_id' | 'preview' | 'at'> & { readonly usage: UsageSums };

export type UsageReport = {
  readonly groups: readonly UsageGroup[];
  /** Groups beyond those that are shown. */
  readonly left_out: number;
  readonly total: UsageSums;
  readonly turns: number;
  /** The turns that cost most, then those of most tokens. */
  readonly costliest: readonly CostlyTurn[];
};

export type ReportOptions = {
  readonly by: UsageGrouping /** The day of a moment, as `2026-01-31`. */;
  readonly dayOf: (at: number) => string;
  readonly most: number;
};

type Part = Omit<UsageGroup, 'turns'>;

/** What a browser does is its issuer's. */
const throughBrowser = 'client:';
const holderOf = (by: string): string => (by.startsWith(throughBrowser) ? by.slice(throughBrowser.length) : by);

const ofKey = ({ submitted_by, credential_id, usage }: ReportedTurn): Part => {
  if (submitted_by === undefined) return { key: '', name: '', usage };
  const holder = holderOf(submitted_by);
  return { key: credential_id ?? holder, name: '', submitted_by: holder, usage };
};

const partsOf = (turn: ReportedTurn, { by, dayOf }: ReportOptions): readonly Part[] => {
  const { usage } = turn;
  switch (by) {
    case 'day': {
      const day = dayOf(turn.at);
      return [{ key: day, name: day, usage }];
    }
    case 'model':
      return Object.entries(usage.by_model).map(([model, sums]) => ({ key: model, name: model, usage: sums }));
    case 'session':
      return [{ key: turn.session_id, name: turn.session_title, usage }];
    case 'target':
      return [{ key: turn.target, name: turn.target_name, usage }];
    case 'owner':
      return [{ key: turn.owner, name: turn.owner, usage }];
    case 'key':
      return [ofKey(turn)];
  }
};

const bare = ({ by_model: _m, ...sums }: UsageBody): UsageSums => sums;
const plus = (one: UsageSums, other: UsageSums): UsageSums => bare(sumUsage({ ...one, by_model: {} }, { ...other, by_model: {} }));

const costlier = (one: { readonly usage: UsageSums }, other: { readonly usage: UsageSums }): number =>
  other.usage.estimated_cost - one.usage.estimated_cost || other.usage.total_tokens - one.usage.total_tokens;

const costliestOf = 10;

export type UsageTally = { readonly add: (turn: ReportedTurn) => void; readonly report: () => UsageReport };

/** Takes turns one by one, so that they need not all be held. */
export const tallyUsage = (options: ReportOptions): UsageTally => {
  const groups = new Map<string, UsageGroup>();
  let total: UsageSums = bare(noUsage);
  let turns = 0;
  let costliest: readonly CostlyTurn[] = [];
  return {
    add: (turn) => {
      // A turn that called no model used nothing: it would only stand among others' figures.
      if (turn.usage.model_calls === 0) return;
      turns += 1;
      total = plus(total, turn.usage);
      for (const { usage, ...part } of partsOf(turn, options)) {
        const before = groups.get(part.key);
        groups.set(part.key, { ...part, turns: (before?.turns ?? 0) + 1, usage: before ? plus(before.usage, usage) : plus(bare(noUsage), usage) });
      }
      const { session_id, session_title, turn_id, preview, at, usage } = turn;
      const sums = plus(bare(noUsage), usage);
      costliest = [...costliest, { session_id, session_title, turn_id, preview, at, usage: sums }].toSorted(costlier).slice(0, costliestOf);
    },
    report: () => {
      const sorted = [...groups.values()].toSorted(options.by === 'day' ? (one, other) => (one.key < other.key ? -1 : 1) : costlier);
      // Of days the newest are shown.
      const shown = options.by === 'day' ? sorted.slice(-options.most) : sorted.slice(0, options.most);
      return { groups: shown, left_out: sorted.length - shown.length, total, turns, costliest };
    },
  };
};

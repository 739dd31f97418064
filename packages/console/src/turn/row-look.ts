/** What a row is called, and how its kind and its status look. */
import {
  Bot,
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleX,
  FoldVertical,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  MessageSquare,
  Play,
  Sparkles,
  Workflow,
  Wrench,
} from 'lucide-react';
import type { TextKey } from '../i18n/en.ts';
import { formatCost } from '../i18n/format.ts';
import type { Text } from '../i18n/use-text.ts';
import type { Bar } from './scale.ts';
import type { RowKind, RowStatus, TraceRow } from './trace.ts';

export const kindTexts: { readonly [Kind in RowKind]: TextKey } = {
  turn: 'turnKindTurn',
  run: 'turnKindRun',
  compaction: 'turnKindCompaction',
  model: 'turnKindModel',
  tool: 'turnKindTool',
  wait: 'turnKindWait',
  child: 'turnKindChild',
  step: 'turnKindStep',
};
export const kindIcons: { readonly [Kind in RowKind]: LucideIcon } = {
  turn: MessageSquare,
  run: Play,
  compaction: FoldVertical,
  model: Sparkles,
  tool: Wrench,
  wait: Hourglass,
  child: Bot,
  step: Workflow,
};
export const statusTexts: { readonly [Status in RowStatus]: TextKey } = {
  running: 'turnStatusRunning',
  waiting: 'turnStatusWaiting',
  ok: 'turnStatusOk',
  failed: 'turnStatusFailed',
  cancelled: 'turnStatusCancelled',
  unknown: 'turnStatusUnknown',
};
export const statusLooks: { readonly [Status in RowStatus]: { readonly icon: LucideIcon; readonly tone: string } } = {
  running: { icon: LoaderCircle, tone: 'text-accent animate-spin' },
  waiting: { icon: Hourglass, tone: 'text-warn' },
  ok: { icon: CircleCheck, tone: 'text-ok' },
  failed: { icon: CircleX, tone: 'text-danger' },
  cancelled: { icon: CircleDashed, tone: 'text-ink-faint' },
  unknown: { icon: CircleQuestionMark, tone: 'text-warn' },
};

const waitTexts: { readonly [kind: string]: TextKey } = {
  confirmation: 'turnWaitConfirmation',
  approval: 'turnWaitApproval',
  external_execution: 'turnWaitExternal',
  question: 'turnWaitQuestion',
  form: 'turnWaitForm',
  signal: 'turnWaitSignal',
  reconciliation: 'turnWaitReconciliation',
};

export const rowName = ({ kind, name, call }: TraceRow, t: Text): string => {
  switch (kind) {
    case 'turn':
      return t('turnKindTurn');
    case 'run':
      return t('turnRowRun', { n: name });
    case 'compaction':
      return t('turnRowCompaction');
    case 'model':
      return t('turnRowModel', { step: call?.step ?? '' });
    case 'wait': {
      const text = waitTexts[name];
      return text ? t(text) : name;
    }
    case 'tool':
    case 'child':
    case 'step':
      return name;
  }
};

/** Turn and run are frames around what they hold. */
export const depthOf = ({ kind, parent }: TraceRow): 0 | 1 | 2 | 3 => (kind === 'turn' ? 0 : kind === 'run' ? 1 : parent === undefined ? 2 : 3);

export const waitingLook = 'border border-warn-line bg-[repeating-linear-gradient(135deg,var(--color-warn-line)_0_3px,transparent_3px_7px)]';
export const startingLook = 'border border-accent/40 bg-accent-soft';
const workTones: { readonly [Kind in RowKind]: string } = {
  turn: 'bg-line-strong',
  run: 'bg-line-strong',
  compaction: 'bg-ink-faint',
  model: 'bg-accent',
  tool: 'bg-ok',
  wait: 'bg-warn',
  child: 'bg-accent/70',
  step: 'bg-ok',
};

/** Waiting is hatched, what is owed and has told nothing yet is pale, work is full; what failed says so. */
export const barLook = ({ kind, status }: TraceRow, bar: Bar, isLast: boolean): string => {
  if (bar.kind === 'waiting') return waitingLook;
  if (bar.kind === 'starting') return startingLook;
  if (isLast && status === 'failed') return 'bg-danger';
  if (isLast && status === 'cancelled' && kind !== 'turn' && kind !== 'run') return 'bg-line-strong';
  return workTones[kind];
};

/** So short that it fits beside a line: `500ms`, `2.5s`, `3m`, `2h`, in the chosen language. */
export const shortTime = (ms: number, locale: string, maximumFractionDigits = 1): string => {
  const [value, unit] =
    ms !== 0 && ms < 1_000 ? [ms, 'millisecond'] : ms < 120_000 ? [ms / 1_000, 'second'] : ms < 7_200_000 ? [ms / 60_000, 'minute'] : [ms / 3_600_000, 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit: String(unit), unitDisplay: 'narrow', maximumFractionDigits }).format(Number(value));
};

/** What it cost, in the words that the session has for it; undefined where nothing of it has a price. */
export const costOf = ({ cost, costComplete }: Pick<TraceRow, 'cost' | 'costComplete'>, locale: string, t: Text): string | undefined =>
  cost && formatCost({ estimated_cost: cost.amount, currency: cost.currency, cost_complete: costComplete }, locale, t);

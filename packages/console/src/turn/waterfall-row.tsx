import { formatDuration } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { barLook, costOf, depthOf, kindIcons, kindTexts, rowName, statusLooks, statusTexts } from './row-look.ts';
import { barsOf, type Scale } from './scale.ts';
import { spanOf, type TraceRow, timesOf } from './trace.ts';
import { waterfallColumns } from './waterfall-columns.ts';

type WaterfallRowProps = {
  readonly row: TraceRow;
  /** What it is a part of is shown. */
  readonly indented: boolean;
  readonly scale: Scale;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
};

const indents = ['pl-0', 'pl-3', 'pl-6', 'pl-9'] as const;

const Lane = ({ row, scale, now }: Pick<WaterfallRowProps, 'row' | 'scale' | 'now'>) => {
  const bars = barsOf(row, scale, now);
  const isFrame = row.kind === 'turn' || row.kind === 'run';
  return (
    <span aria-hidden className="relative col-span-2 block h-2.5 overflow-hidden rounded-sm @2xl:col-span-1 @2xl:h-full @2xl:rounded-none">
      {scale.folds.map(({ from, x0, x1 }) => (
        <span
          key={from}
          className="absolute inset-y-0 border-x border-dashed border-line-strong bg-sunken"
          style={{ left: `${x0 * 100}%`, width: `${(x1 - x0) * 100}%` }}
        />
      ))}
      {bars.map((bar) => (
        <span
          key={`${bar.from}${bar.kind}`}
          data-bar={bar.kind}
          className={`absolute top-1/2 min-w-[3px] -translate-y-1/2 rounded-[3px] ${isFrame ? 'h-1.5' : 'h-2.5 @2xl:h-3.5'} ${barLook(row, bar, bar.to === row.segments.at(-1)?.to)} ${bar.to === null && bar.kind !== 'waiting' ? 'animate-pulse motion-reduce:animate-none' : ''}`}
          style={{ left: `min(${bar.x0 * 100}%, calc(100% - 3px))`, width: `${(bar.x1 - bar.x0) * 100}%` }}
        />
      ))}
    </span>
  );
};

const useNumbers = (row: TraceRow, now: number) => {
  const t = useText();
  const locale = useLocale();
  const { from, to } = spanOf(row, now);
  const { worked, waited } = timesOf(row, now);
  const cost = costOf(row, locale, t);
  return {
    took: formatDuration(to - from, t),
    split: waited > 0 && worked > 0 ? `${t('turnWorked', { time: formatDuration(worked, t) })}, ${t('turnWaited', { time: formatDuration(waited, t) })}` : '',
    spent: [...(row.usage ? [t('tokens', { count: row.usage.total_tokens.toLocaleString(locale) })] : []), ...(cost === undefined ? [] : [cost])].join(' · '),
  };
};

export const WaterfallRow = ({ row, indented, scale, now, isChosen, onChoose }: WaterfallRowProps) => {
  const t = useText();
  const { took, split, spent } = useNumbers(row, now);
  const Icon = kindIcons[row.kind];
  const { icon: StatusIcon, tone } = statusLooks[row.status];
  const depth = indented ? depthOf(row) : 2;
  const attempt = row.attempt > 1 ? t('turnRowAttempt', { n: row.attempt }) : '';
  return (
    <li className="[contain-intrinsic-size:auto_2rem] [content-visibility:auto]">
      <button
        type="button"
        data-step={row.id}
        data-kind={row.kind}
        data-status={row.status}
        aria-current={isChosen ? 'true' : undefined}
        title={split === '' ? took : split}
        onClick={() => onChoose(row.id)}
        className={`group ${waterfallColumns} w-full items-center gap-y-1 px-3 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-2 aria-[current]:bg-accent-soft @2xl:h-8 @2xl:py-0`}
      >
        <span className={`flex min-w-0 items-center gap-2 text-[13px] ${indents[depth]}`}>
          <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          <span className="sr-only">{t(kindTexts[row.kind])}: </span>
          <span className={`min-w-0 truncate ${depth < 2 ? 'font-medium' : ''}`}>{rowName(row, t)}</span>
          {attempt === '' ? null : <span className="shrink-0 text-xs text-ink-faint group-aria-[current]:text-ink-soft">{attempt}</span>}
          <StatusIcon aria-hidden className={`ml-auto size-3.5 shrink-0 motion-reduce:animate-none ${tone}`} />
          <span className="sr-only">{t(statusTexts[row.status])}</span>
        </span>
        <span className="text-right text-xs whitespace-nowrap text-ink-soft tabular-nums @2xl:hidden">{took}</span>
        <Lane row={row} scale={scale} now={now} />
        {spent === '' ? null : (
          <span className="col-span-2 truncate text-xs text-ink-faint tabular-nums group-aria-[current]:text-ink-soft @2xl:hidden">{spent}</span>
        )}
        <span className="hidden min-w-0 justify-end gap-2 text-xs whitespace-nowrap tabular-nums @4xl:flex">
          <span className="truncate text-ink-faint group-aria-[current]:text-ink-soft">{spent}</span>
          <span className="shrink-0 text-ink-soft">{took}</span>
        </span>
      </button>
    </li>
  );
};

import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatDuration } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { shortTime, startingLook, waitingLook } from './row-look.ts';
import { type Scale, type Span, ticksOf } from './scale.ts';
import { foldLabel, labelledTicks } from './tick-labels.ts';
import type { TraceRow } from './trace.ts';
import { useBrush } from './use-brush.ts';
import { waterfallColumns } from './waterfall-columns.ts';
import { WaterfallRow } from './waterfall-row.tsx';

type WaterfallProps = {
  readonly rows: readonly TraceRow[];
  readonly scale: Scale;
  /** When the turn began. */
  readonly origin: number;
  readonly now: number;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onZoom: (span: Span) => void;
};

const legend = [
  { look: 'bg-accent', text: 'turnLegendWork' },
  { look: startingLook, text: 'turnLegendStarting' },
  { look: waitingLook, text: 'turnLegendWaiting' },
] as const;

const lane = 'col-span-2 @2xl:col-span-1 @2xl:col-start-2';

/** Of what the same component draws: a child's effects run before the frame around it is there. */
const useWidth = (ref: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return width;
};

type AxisProps = Pick<WaterfallProps, 'scale' | 'origin'> & { /** In pixels. */ readonly width: number };

const Axis = ({ scale, origin, width }: AxisProps) => {
  const t = useText();
  const locale = useLocale();
  const ticks = labelledTicks(ticksOf(scale, origin, 0.12), scale.folds, width, (time) => shortTime(time - origin, locale));
  return (
    <>
      {ticks.map(({ time, x, label }) => (
        <span key={time} className="absolute inset-y-0 border-l border-line" style={{ left: `${x * 100}%` }}>
          {label === undefined ? null : <span className="pl-1 text-[11px] leading-7 whitespace-nowrap text-ink-faint tabular-nums">{label}</span>}
        </span>
      ))}
      {scale.folds.map(({ from, to, x0, x1 }) => (
        <span
          key={from}
          data-fold={to - from}
          title={t('turnIdle', { time: formatDuration(to - from, t) })}
          className="absolute inset-y-0 z-10 grid place-items-center overflow-hidden border-x border-dashed border-line-strong bg-sunken text-[10px] whitespace-nowrap text-ink-soft"
          style={{ left: `${x0 * 100}%`, width: `${(x1 - x0) * 100}%` }}
        >
          {foldLabel({ from, to, x0, x1 }, width, shortTime(to - from, locale, 0))}
        </span>
      ))}
    </>
  );
};

/** Only where it takes no room of its own. */
const Legend = () => {
  const t = useText();
  return (
    <div aria-hidden className="hidden items-center gap-3 text-[11px] text-ink-faint @2xl:flex">
      {legend.map(({ look, text }) => (
        <span key={text} className="flex items-center gap-1">
          <span className={`h-2.5 w-3.5 rounded-[3px] ${look}`} />
          {t(text)}
        </span>
      ))}
    </div>
  );
};

/** The rows over one time. Dragging across the time zooms in; a click chooses a row. */
export const Waterfall = ({ rows, scale, origin, now, chosen, onChoose, onZoom }: WaterfallProps) => {
  const t = useText();
  const axis = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const width = useWidth(axis);
  const brush = useBrush(axis, (x0, x1) => onZoom({ from: scale.timeAt(x0), to: scale.timeAt(x1) }));
  useEffect(() => {
    if (chosen !== undefined) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const depths = useMemo(() => new Set(rows.map(({ id }) => id)), [rows]);
  return (
    <div className="@container relative select-none" onPointerDown={brush.onPointerDown} onClickCapture={brush.onClickCapture}>
      <div className={`${waterfallColumns} sticky top-0 z-20 border-b border-line bg-canvas px-3`}>
        <Legend />
        <div className={`${lane} h-7`}>
          <div ref={axis} data-axis title={t('turnBrushHint')} className="relative h-full cursor-crosshair touch-none overflow-hidden">
            <Axis scale={scale} origin={origin} width={width} />
          </div>
        </div>
      </div>
      <ul ref={list} aria-label={t('turnWaterfall')} className="py-1">
        {rows.map((row) => (
          <WaterfallRow
            key={row.id}
            row={row}
            indented={row.parent === undefined || depths.has(row.parent)}
            scale={scale}
            now={now}
            isChosen={row.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </ul>
      {brush.selection ? (
        <div className={`${waterfallColumns} pointer-events-none absolute inset-0 z-20 px-3`}>
          <span className={`${lane} relative`}>
            <span
              className="absolute inset-y-0 border-x border-accent bg-accent/15"
              style={{ left: `${brush.selection.x0 * 100}%`, width: `${(brush.selection.x1 - brush.selection.x0) * 100}%` }}
            />
          </span>
        </div>
      ) : null}
    </div>
  );
};

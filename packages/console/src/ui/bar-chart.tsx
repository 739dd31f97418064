import { useEffect, useRef, useState } from 'react';
import { labelEvery, ticksUpTo } from './scale.ts';

export type Bar = {
  readonly key: string;
  /** Below it. */
  readonly label: string;
  readonly value: number;
  /** What it says when it is pointed at. */
  readonly title: string;
  /** There is more than it shows. */
  readonly incomplete?: boolean;
};

type BarChartProps = { readonly label: string; readonly bars: readonly Bar[]; readonly format: (value: number) => string };

const height = 220;
const [top, bottom] = [12, 24];
const plot = height - top - bottom;

/** Drawn for the width that there is: text keeps its size. */
const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
};

/** Bars over time. It is a picture: whoever shows it shows its numbers as a table, too. */
export const BarChart = ({ label, bars, format }: BarChartProps) => {
  const { ref, width } = useWidth();
  const ticks = ticksUpTo(Math.max(0, ...bars.map(({ value }) => value)));
  const most = ticks.at(-1) ?? 1;
  const left = Math.max(...ticks.map((tick) => format(tick).length)) * 6.6 + 10;
  const each = bars.length === 0 ? 0 : Math.max(width - left - 4, 0) / bars.length;
  const thick = Math.max(Math.min(each * 0.72, 44), 1);
  const y = (value: number): number => top + plot - (value / most) * plot;
  const every = labelEvery(bars.length, Math.floor((width - left) / 64));
  return (
    <div ref={ref} className="w-full overflow-hidden">
      {width === 0 ? (
        <div className="h-[220px]" />
      ) : (
        <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="block text-[11px]">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'} />
              <text x={left - 6} y={y(tick) + 4} textAnchor="end" className="fill-ink-faint tabular-nums">
                {format(tick)}
              </text>
            </g>
          ))}
          {bars.map((bar, at) => {
            const x = left + at * each + (each - thick) / 2;
            const rise = Math.max((bar.value / most) * plot, bar.value > 0 ? 1.5 : 0);
            return (
              <g key={bar.key} data-bar={bar.key} className="group">
                <title>{bar.title}</title>
                {/* The whole column answers to the pointer. */}
                <rect x={left + at * each} y={top} width={each} height={plot} className="fill-transparent group-hover:fill-sunken" />
                <rect x={x} y={top + plot - rise} width={thick} height={rise} rx={Math.min(3, thick / 2, rise)} className="fill-accent" />
                {bar.incomplete ? (
                  <line
                    x1={x}
                    x2={x + thick}
                    y1={top + plot - rise - 4}
                    y2={top + plot - rise - 4}
                    strokeDasharray="3 2"
                    strokeWidth={2}
                    className="stroke-warn"
                  />
                ) : null}
                {at % every === 0 ? (
                  <text x={left + at * each + each / 2} y={height - 7} textAnchor="middle" className="fill-ink-faint">
                    {bar.label}
                  </text>
                ) : null}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
};

/** Which of the moments beneath the axis have their time written: what says the same again, or has no room, is left out. */
import type { Fold } from './scale.ts';

export type Tick = { readonly time: number; readonly x: number };
export type LabelledTick = Tick & { readonly label: string | undefined };

/** At 11 px, with the space before it; rather too wide than too narrow. */
const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) > 0x2e80 ? 11.5 : 7), 8);

/** `width`: of the axis, in pixels. A label ends before the fold that comes next, and before the axis does. */
export const labelledTicks = (ticks: readonly Tick[], folds: readonly Fold[], width: number, textOf: (time: number) => string): readonly LabelledTick[] => {
  let [said, end] = ['', Number.NEGATIVE_INFINITY];
  return ticks.map(({ time, x }) => {
    const text = textOf(time);
    const from = x * width;
    const until = from + widthOf(text);
    const edge = Math.min(width, ...folds.flatMap(({ x0, x1 }) => (x1 > x + 1e-9 ? [x0 * width] : [])));
    if (text === said || from < end || until > edge) return { time, x, label: undefined };
    [said, end] = [text, until];
    return { time, x, label: text };
  });
};

/** What a fold stands for, where it is wide enough to say it: at 10 px. */
export const foldLabel = ({ x0, x1 }: Fold, width: number, text: string): string => ((x1 - x0) * width >= (widthOf(text) - 8) * 0.85 ? text : '');

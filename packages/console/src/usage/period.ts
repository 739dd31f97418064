/** Over which days usage is looked at, and of which of them there is nothing. Days are those of this device. */

export const periods = ['1', '7', '30', '90'] as const;
export type Period = (typeof periods)[number];

export const periodOf = (text: string | undefined): Period => periods.find((period) => period === text) ?? '30';

export type Span = { readonly from: number; readonly to: number };

/** From the midnight that began the first of so many days up to the end of today. */
export const spanOf = (period: Period, now: number): Span => {
  const today = new Date(now);
  const at = (days: number): number => new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).getTime();
  return { from: at(1 - Number(period)), to: at(1) };
};

const two = (part: number): string => String(part).padStart(2, '0');

/** As the server names them: `2026-01-31`. */
export const daysOf = ({ from, to }: Span): readonly string[] => {
  const days: string[] = [];
  for (const day = new Date(from); day.getTime() < to; day.setDate(day.getDate() + 1))
    days.push(`${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`);
  return days;
};

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

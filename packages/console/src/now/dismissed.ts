/** Failed turns that somebody has seen and does not want to see again: by their ids, the one that was put away last comes first. */

/** A turn stands under "Now" for a day: far more than fail in one. */
export const mostDismissed = 500;

const isText = (value: unknown): value is string => typeof value === 'string';

export const parseDismissed = (text: string | undefined): readonly string[] => {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(ids) ? ids.filter(isText).slice(0, mostDismissed) : [];
  } catch {
    return [];
  }
};

export const withDismissed = (ids: readonly string[], turnId: string): readonly string[] =>
  [turnId, ...ids.filter((id) => id !== turnId)].slice(0, mostDismissed);

type Turn = { readonly turn_id: string };

/** Those that want a look, and those that were put away; both in their order. */
export const sortOut = <Of extends Turn>(turns: readonly Of[], ids: readonly string[]): { readonly open: readonly Of[]; readonly dismissed: readonly Of[] } => {
  const isDismissed = ({ turn_id }: Turn): boolean => ids.includes(turn_id);
  return { open: turns.filter((turn) => !isDismissed(turn)), dismissed: turns.filter(isDismissed) };
};

/** Which sessions are listed, as it stands in the address. What is usual is left out of it. */
import type { SessionQuery } from '@turnkeeper/client/calls/sessions';

export const statuses = ['active', 'archived', 'all'] as const;
export const activities = ['', 'running', 'requires_action', 'idle'] as const;
export const searchPlaces = ['titles', 'messages'] as const;
/** Days back; `today` begins at the reader's midnight. */
export const periods = ['', 'today', '7', '30', '90'] as const;

export type SessionFilters = {
  readonly status: (typeof statuses)[number];
  /** `me`, `all` (every one that the caller may read), or one owner: `app:<id>`, `user:<id>`, `minitool:<id>`. */
  readonly owner: string;
  readonly q: string;
  /** Where `q` is looked for. */
  readonly in: (typeof searchPlaces)[number];
  readonly activity: (typeof activities)[number];
  /** Id of an agent, a team or a workflow. */
  readonly target: string;
  /** `space:<id>` or `container:<mini-tool>/<container>`. */
  readonly place: string;
  readonly since: (typeof periods)[number];
  /** At least this much; as it was typed. */
  readonly cost: string;
};

export const usualFilters: SessionFilters = { status: 'active', owner: 'me', q: '', in: 'titles', activity: '', target: '', place: '', since: '', cost: '' };
const names = Object.keys(usualFilters) as (keyof SessionFilters)[];
/** Those that stand behind "More filters". */
export const furtherFilters = ['activity', 'target', 'place', 'since', 'cost'] as const satisfies readonly (keyof SessionFilters)[];

const oneOf = <Value extends string>(known: readonly Value[], text: string | null, usual: Value): Value => known.find((value) => value === text) ?? usual;

export const parseFilters = (query: URLSearchParams): SessionFilters => {
  const cost = query.get('cost') ?? '';
  return {
    status: oneOf(statuses, query.get('status'), usualFilters.status),
    owner: query.get('owner') || usualFilters.owner,
    q: query.get('q') ?? usualFilters.q,
    in: oneOf(searchPlaces, query.get('in'), usualFilters.in),
    activity: oneOf(activities, query.get('activity'), ''),
    target: query.get('target') ?? '',
    place: query.get('place') ?? '',
    since: oneOf(periods, query.get('since'), ''),
    cost: Number(cost) > 0 ? cost : '',
  };
};

/** As it stands after the path: '' or `?…`. */
export const printFilters = (filters: SessionFilters): string => {
  const unusual = names.filter((name) => filters[name] !== usualFilters[name]);
  return unusual.length === 0 ? '' : `?${new URLSearchParams(unusual.map((name) => [name, filters[name]])).toString()}`;
};

export const isUsual = (filters: SessionFilters): boolean => printFilters(filters) === '';

const dayMs = 86_400_000;

const sinceWhen = (since: SessionFilters['since'], now: number): number | undefined => {
  if (since === '') return undefined;
  return since === 'today' ? new Date(now).setHours(0, 0, 0, 0) : now - Number(since) * dayMs;
};

/** As the server is asked for it. Only admins list everyone's; others get all that they may read when they name nobody. */
export const queryOf = (filters: SessionFilters, { isAdmin, now }: { readonly isAdmin: boolean; readonly now: number }): SessionQuery => {
  const { status, owner, activity, target, place, cost } = filters;
  const q = filters.q.trim();
  const from = sinceWhen(filters.since, now);
  const [kind = '', id = ''] = place.split(/:(.*)/s);
  return {
    status,
    order: 'updated',
    ...(owner === 'all' && !isAdmin ? {} : { owner }),
    ...(q === '' ? {} : filters.in === 'messages' ? { text: q } : { q }),
    ...(activity === '' ? {} : { activity }),
    ...(target === '' ? {} : { target }),
    ...(id === '' ? {} : kind === 'container' ? { container: id } : { space: id }),
    ...(from === undefined ? {} : { updated_from: from }),
    ...(Number(cost) > 0 ? { min_cost: Number(cost) } : {}),
  };
};

/** What mini-tools show in this page: as the server tells it, less what somebody here has seen enough of. */
import type { MinitoolShow, ShowNews } from '@turnkeeper/core/protocol/wire/minitool-shows';

/** `over`: nothing can be answered any more. A toast may still be looked at. */
export type PageShow = MinitoolShow & { readonly over: boolean };
export type ShowsState = {
  /** The oldest first. */
  readonly shows: readonly PageShow[];
  /** Left here while it is shown elsewhere. */
  readonly gone: ReadonlySet<string>;
  /** Mini-tools of which nothing more is wanted here. */
  readonly hushed: ReadonlySet<string>;
  /** How many of its dialogs nobody here wanted to answer, by mini-tool. */
  readonly unwanted: Readonly<Record<string, number>>;
};
export type ShowsChange =
  | ShowNews
  | { readonly type: 'left'; readonly id: string; readonly isUnwanted: boolean }
  | { readonly type: 'hushed'; readonly minitoolId: string };

export const noShows: ShowsState = { shows: [], gone: new Set(), hushed: new Set(), unwanted: {} };

const mostToasts = 4;

const isToast = ({ content }: MinitoolShow): boolean => content.kind === 'toast';
const open = (show: MinitoolShow): PageShow => ({ ...show, over: false });

const without = (state: ShowsState, id: string): readonly PageShow[] => state.shows.filter((show) => show.id !== id);

const closed = (state: ShowsState, id: string, expired: boolean): ShowsState => {
  const shows = expired ? state.shows.flatMap((show) => (show.id !== id ? [show] : isToast(show) ? [{ ...show, over: true }] : [])) : without(state, id);
  return { ...state, shows, gone: new Set([...state.gone].filter((each) => each !== id)) };
};

const left = (state: ShowsState, id: string, isUnwanted: boolean): ShowsState => {
  const show = state.shows.find((each) => each.id === id);
  if (!show) return state;
  const minitoolId = show.minitool.id;
  return {
    ...state,
    shows: without(state, id),
    gone: new Set([...state.gone, id]),
    unwanted: isToast(show) || !isUnwanted ? state.unwanted : { ...state.unwanted, [minitoolId]: (state.unwanted[minitoolId] ?? 0) + 1 },
  };
};

export const withChange = (state: ShowsState, change: ShowsChange): ShowsState => {
  switch (change.type) {
    case 'now': {
      const ids = new Set(change.shows.map(({ id }) => id));
      return { ...state, shows: change.shows.filter(({ id }) => !state.gone.has(id)).map(open), gone: new Set([...state.gone].filter((id) => ids.has(id))) };
    }
    case 'shown':
      return { ...state, shows: [...without(state, change.show.id), open(change.show)] };
    case 'closed':
      return closed(state, change.id, change.reason === 'expired');
    case 'left':
      return left(state, change.id, change.isUnwanted);
    case 'hushed':
      return { ...state, hushed: new Set([...state.hushed, change.minitoolId]) };
  }
};

const wanted = ({ shows, hushed }: ShowsState): readonly PageShow[] => shows.filter(({ minitool }) => !hushed.has(minitool.id));

/** The newest, as many as there is room for. */
export const toastsOf = (state: ShowsState): readonly PageShow[] => wanted(state).filter(isToast).slice(-mostToasts);

/** One at a time, the oldest first. */
export const dialogOf = (state: ShowsState): PageShow | undefined => wanted(state).find((show) => !isToast(show));

/** Whoever dismissed one of its dialogs and gets another may say that it is enough. */
export const mayHush = ({ unwanted }: ShowsState, { minitool }: MinitoolShow): boolean => (unwanted[minitool.id] ?? 0) > 0;

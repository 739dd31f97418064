import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { Older } from '@turnkeeper/react/use-older-parts';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { RowView } from './row-view.tsx';
import { nextForEyes, type Row } from './rows.ts';
import { useTurnActs } from './turn-acts-context.ts';

type TimelineProps = {
  readonly sessionId: string;
  readonly isChild: boolean;
  readonly rows: readonly Row[];
  readonly older: Older;
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  /** Told before something else than the end is shown. */
  readonly onJump: () => void;
  /** The turn that the address names: shown when it is there. */
  readonly turnId: string | undefined;
};

/** As many are all drawn: the browser finds words in them, and a screen reader walks through them. */
const allUpTo = 80;
const beyond = 8;
/** Above the first row: more where older messages are to be asked for. */
const space = { top: 20, topWithOlder: 56, bottom: 32 };
/** Older messages are read while so many rows are still above. */
const readAhead = 12;

const estimate = (row: Row | undefined): number => {
  if (row?.kind === 'end') return 52;
  if (row?.kind === 'entry' && row.entry.kind === 'tool') return 60;
  return 96;
};

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;
type Jumping = { readonly list: List; readonly rows: readonly Row[]; readonly onJump: () => void };

/** The same function while the keys are the same: the list measures anew when it is another one. */
const useKeyOf = (rows: readonly Row[]): ((index: number) => string) => {
  const last = useRef<{ readonly keys: readonly string[]; readonly keyOf: (index: number) => string }>(undefined);
  const same = last.current?.keys.length === rows.length && rows.every(({ key }, at) => key === last.current?.keys[at]);
  if (!same) {
    const keys = rows.map(({ key }) => key);
    last.current = { keys, keyOf: (index) => keys[index] ?? String(index) };
  }
  return last.current?.keyOf ?? String;
};

const framesToWait = 20;

/** Shows a row and gives it the focus, as soon as it is drawn. */
const goTo = ({ list, onJump }: Pick<Jumping, 'list' | 'onJump'>, index: number): void => {
  onJump();
  list.scrollToIndex(index, { align: 'center' });
  let frames = 0;
  const focus = (): void => {
    const element = list.scrollElement?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (element) {
      element.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'nearest' });
      return;
    }
    frames += 1;
    if (frames < framesToWait) requestAnimationFrame(focus);
  };
  requestAnimationFrame(focus);
};

/** The row that has the focus, else the first one that is seen. */
const placeIn = (list: List): number => {
  const focused = list.scrollElement?.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>('[data-index]') : null;
  return focused ? Number(focused.dataset['index']) : (list.range?.startIndex ?? 0) - 1;
};

const useTimelineKeys = (jumping: Jumping, wantedTurn: string | undefined): void => {
  const { list, rows } = jumping;
  const t = useText();
  const acts = useTurnActs();
  const fork = (): void => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-turn]')?.dataset['turn'] ?? wantedTurn;
    const ends = rows.filter((row) => row.kind === 'end' && row.idle);
    const end = ends.find(({ turnId }) => turnId === focused) ?? ends.at(-1);
    if (end?.turnId) acts?.fork?.(end.turnId);
  };
  useKeys({
    ']': {
      text: t('nextForEyes'),
      act: () => {
        const next = nextForEyes(rows, placeIn(list));
        if (next !== undefined) goTo(jumping, next);
      },
    },
    f: acts?.fork ? { text: t('forkHere'), act: fork } : undefined,
  });
};

/** Reads on, up to the turn that the address names, and shows it once. */
const useWantedTurn = ({ list, rows, onJump }: Jumping, older: Older, turnId: string | undefined): void => {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (turnId === undefined || shown.current === turnId || rows.length === 0) return;
    const at = rows.findIndex((row) => row.turnId === turnId);
    if (at !== -1) {
      shown.current = turnId;
      goTo({ list, onJump }, at);
    } else if (older.hasMore && !older.loading && !older.fault) void older.load();
  }, [list, rows, onJump, older, turnId]);
};

const OlderLine = ({ older }: { readonly older: Older }) => {
  const t = useText();
  if (!older.hasMore) return null;
  return (
    <div className="absolute inset-x-0 top-0 flex h-14 items-center justify-center text-[13px] text-ink-faint">
      {older.loading ? (
        <span className="flex items-center gap-2" role="status">
          <Spinner /> {t('olderLoading')}
        </span>
      ) : (
        <button type="button" className="rounded-lg px-3 py-1.5 hover:text-ink" onClick={() => void older.load()}>
          {older.fault ? t('olderFailed', { message: older.fault.message }) : t('olderShow')}
        </button>
      )}
    </div>
  );
};

/** Of a long session only what is looked at is drawn; the rest is empty space of the size that it has. */
export const Timeline = ({ sessionId, isChild, rows, older, scrollRef, onJump, turnId }: TimelineProps) => {
  const t = useText();
  // Once there it stays: what is looked at would move with it.
  const hadOlder = useRef(false);
  hadOlder.current ||= older.hasMore;
  const above = hadOlder.current ? space.topWithOlder : space.top;
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: useCallback(() => scrollRef.current, [scrollRef]),
    estimateSize: (index) => estimate(rows[index]),
    getItemKey: useKeyOf(rows),
    overscan: rows.length <= allUpTo ? rows.length : beyond,
    paddingStart: above,
    paddingEnd: space.bottom,
    // Rows that come in above move nothing of what is looked at.
    anchorTo: 'end',
    initialOffset: Number.MAX_SAFE_INTEGER,
    useFlushSync: false,
  });
  const jumping = { list, rows, onJump };
  useTimelineKeys(jumping, turnId);
  useWantedTurn(jumping, older, turnId);
  const items = list.getVirtualItems();
  const top = list.range?.startIndex;
  useEffect(() => {
    if (top !== undefined && top <= readAhead && older.hasMore && !older.loading && !older.fault) void older.load();
  }, [top, older]);
  const [first, last] = [items[0], items.at(-1)];
  return (
    <section
      aria-label={t('conversation')}
      className="relative"
      style={{ paddingTop: first?.start ?? above, paddingBottom: last ? list.getTotalSize() - last.end : space.bottom }}
    >
      <OlderLine older={older} />
      {items.map(({ index, key }) => {
        const row = rows[index];
        return row ? (
          <div
            key={key}
            ref={list.measureElement}
            data-index={index}
            data-entry={row.key}
            data-turn={row.turnId}
            data-turn-status={row.kind === 'end' ? row.turn.status : undefined}
            tabIndex={-1}
            className={`rounded-lg ${index > 0 && ((row.kind === 'entry' && row.first) || row.kind === 'outbox') ? 'pt-10' : 'pt-4'}`}
          >
            <RowView sessionId={sessionId} isChild={isChild} row={row} />
          </div>
        ) : null;
      })}
    </section>
  );
};

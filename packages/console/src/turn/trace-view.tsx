import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { NothingYet } from '../ui/rows.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { busySpans, type Scale, type Span, scaleOf } from './scale.ts';
import { StepPanel } from './step-panel.tsx';
import { isFault, spanOf, type Trace, type TraceRow } from './trace.ts';
import { TraceFilter } from './trace-filter.tsx';
import { fits, neighbour, nextOf, panned, parseFilter, parseZoom, printFilter, printZoom, zoomed } from './view-query.ts';
import { Waterfall } from './waterfall.tsx';

// Most turns are an agent's: those have none.
const TurnGraph = lazy(async () => ({ default: (await import('./turn-graph.tsx')).TurnGraph }));

type TraceViewProps = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly query: Query;
  readonly trace: Trace;
  readonly events: readonly Envelope[];
  /** What the session is of. */
  readonly target: SessionResource['target'] | undefined;
  readonly now: number;
};

/** A change of the view; what is left out of the address is as it was. */
const useMoves = (query: Query, origin: number) => {
  const show = (changes: { readonly [name: string]: string }): void => go(pageAt('turn', { ...query, ...changes }), { replace: true });
  return {
    show,
    choose: (row: Pick<TraceRow, 'id'> | undefined): void => {
      if (row) show({ step: row.id });
    },
    zoomTo: (span: Span | undefined): void => show(printZoom(span, origin)),
  };
};
type Moves = ReturnType<typeof useMoves>;
type GraphMoves = { readonly chosen: TraceRow | undefined; readonly moves: Moves };

type Looking = { readonly rows: readonly TraceRow[]; readonly chosen: TraceRow | undefined; readonly shown: Span; readonly whole: Span; readonly scale: Scale };

const focusRow = (id: string | undefined): void => {
  const row = [...document.querySelectorAll<HTMLElement>('[data-step]')].find(({ dataset }) => dataset['step'] === id);
  row?.focus({ preventScroll: true });
};

const useViewKeys = ({ rows, chosen, shown, whole, scale }: Looking, moves: Moves, now: number, filter: () => void): void => {
  const t = useText();
  const move = (row: TraceRow | undefined): void => {
    moves.choose(row);
    // The row is where it was: what is chosen has the focus, too.
    focusRow(row?.id);
  };
  const about = chosen ? spanOf(chosen, now).from : scale.timeAt(0.5);
  const middle = Math.min(Math.max(about, shown.from), shown.to);
  const zoom = (factor: number): void => moves.zoomTo(zoomed(shown, whole, middle, factor));
  const pan = (by: number): void => moves.zoomTo(shown === whole ? undefined : panned(shown, whole, by));
  const zoomToStep = (): void => {
    if (!chosen) return;
    const { from, to } = spanOf(chosen, now);
    const margin = Math.max((to - from) * 0.05, 1);
    moves.zoomTo({ from: Math.max(from - margin, whole.from), to: Math.min(to + margin, whole.to) });
  };
  const down = () => move(neighbour(rows, chosen?.id, 1));
  const up = () => move(neighbour(rows, chosen?.id, -1));
  useKeys({
    j: { text: t('turnNextStep'), act: down },
    k: { text: t('turnPreviousStep'), act: up },
    ArrowDown: down,
    ArrowUp: up,
    ']': { text: t('turnNextFault'), act: () => move(nextOf(rows, chosen?.id, isFault)) },
    '+': { text: t('turnZoomIn'), act: () => zoom(0.5) },
    '=': () => zoom(0.5),
    '-': { text: t('turnZoomOut'), act: () => zoom(2) },
    '0': { text: t('turnZoomAll'), act: () => moves.zoomTo(undefined) },
    z: { text: t('turnZoomStep'), act: zoomToStep },
    ArrowLeft: { text: t('turnPanLeft'), act: () => pan(-0.25) },
    ArrowRight: { text: t('turnPanRight'), act: () => pan(0.25) },
    '/': { text: t('turnFindStep'), act: filter },
    Escape: chosen && { text: t('turnCloseStep'), act: () => moves.show({ step: '' }) },
  });
};

const GraphAbove = ({ target, events, trace, query, chosen, moves }: Pick<TraceViewProps, 'target' | 'events' | 'trace' | 'query'> & GraphMoves) => {
  const revisionId = target?.type === 'workflow' ? target.revisionId : undefined;
  if (!target || revisionId === undefined) return null;
  return (
    <Suspense fallback={<div className="h-60" />}>
      <TurnGraph
        workflow={{ ...target, revisionId }}
        events={events}
        isOver={trace.to !== null}
        chosen={chosen}
        onChoose={(id) => moves.show({ step: id ?? '' })}
        shown={query['graph'] !== 'hidden'}
        onShow={(shown) => moves.show({ graph: shown ? '' : 'hidden' })}
      />
    </Suspense>
  );
};

export const TraceView = ({ sessionId, turnId, query, trace, events, target, now }: TraceViewProps) => {
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  const filter = useMemo(() => parseFilter(query['filter']), [query]);
  const rows = useMemo(() => trace.rows.filter((row) => fits(row, filter)), [trace, filter]);
  const until = trace.to ?? now;
  const whole: Span = { from: trace.from, to: Math.max(until, ...trace.rows.map((row) => spanOf(row, until).to)) };
  const shown = parseZoom(query, trace.from) ?? whole;
  const scale = scaleOf(busySpans(trace.rows, now), shown);
  const chosen = trace.rows.find(({ id }) => id === query['step']);
  const moves = useMoves(query, trace.from);
  useViewKeys({ rows, chosen, shown, whole, scale }, moves, now, () => input.current?.focus());
  return (
    <div className="flex min-h-0 flex-1 flex-col 2xl:flex-row">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden">
        <TraceFilter
          filter={filter}
          shown={rows.length}
          count={trace.rows.length}
          isZoomed={shown !== whole}
          makesWay={chosen !== undefined}
          input={input}
          onFilter={(next) => moves.show({ filter: printFilter(next) })}
          onZoom={(factor) => moves.zoomTo(zoomed(shown, whole, scale.timeAt(0.5), factor))}
          onZoomAll={() => moves.zoomTo(undefined)}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2">
          <GraphAbove {...{ target, events, trace, query, chosen, moves }} />
          <Waterfall
            rows={rows}
            scale={scale}
            origin={trace.from}
            now={now}
            chosen={chosen?.id}
            onChoose={(id) => moves.choose({ id })}
            onZoom={moves.zoomTo}
          />
          {rows.length === 0 ? (
            <div className="p-4">
              <NothingYet>{t('turnNothingFits')}</NothingYet>
            </div>
          ) : null}
        </div>
      </div>
      {chosen ? (
        <StepPanel
          key={chosen.id}
          sessionId={sessionId}
          turnId={turnId}
          row={chosen}
          query={query}
          origin={trace.from}
          now={now}
          onClose={() => moves.show({ step: '' })}
        />
      ) : null}
    </div>
  );
};

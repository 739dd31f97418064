import { Minus, Plus, Scan } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { type DrawnGraph, drawnGraph } from './drawn-graph.ts';
import { layoutGraph, type PlacedEdge, pathOf } from './graph-layout.ts';
import { GraphNode, type ShownStep } from './graph-node.tsx';
import { statusWord, typeWord } from './step-words.ts';
import { type GraphView, heightFor, useDrag, useGraphView } from './use-graph-view.ts';

/** By node key. */
export type ShownSteps = ReadonlyMap<string, ShownStep>;

type WorkflowGraphProps = {
  /** A spec, or a draft of one. */
  readonly spec: unknown;
  /** Of a run: what is not among them has not begun, and cannot be selected. */
  readonly steps?: ShownSteps;
  readonly selected?: string | undefined;
  readonly onSelect?: (key: string) => void;
  /** As low as the picture lets it be. */
  readonly low?: boolean;
};

const notBegun: ShownStep = { status: 'pending' };

const EdgeLine = ({ edge, label, taken }: { readonly edge: PlacedEdge; readonly label: string; readonly taken: boolean }) => {
  const [first, second] = edge.points;
  const cut = [...label].length > 24 ? `${[...label].slice(0, 23).join('')}…` : label;
  const at = first && second ? { x: first.x + (second.x - first.x) * 0.4, y: first.y + 26 } : undefined;
  return (
    <g data-edge={taken ? 'taken' : 'open'}>
      <path
        d={pathOf(edge.points)}
        fill="none"
        markerEnd={taken ? 'url(#arrow-taken)' : 'url(#arrow)'}
        strokeWidth={taken ? 2.25 : 1.5}
        className={taken ? 'stroke-ok' : 'stroke-line-strong'}
      />
      {label === '' || !at ? null : (
        <text {...at} textAnchor="middle" strokeWidth={5} paintOrder="stroke" className="fill-ink-soft stroke-canvas text-[11px]">
          <title>{label}</title>
          {cut}
        </text>
      )}
    </g>
  );
};

const Arrow = ({ id, className }: { readonly id: string; readonly className: string }) => (
  <marker id={id} viewBox="0 0 8 8" refX={7} refY={4} markerWidth={10} markerHeight={10} markerUnits="userSpaceOnUse" orient="auto">
    <path d="M0,0 L8,4 L0,8 z" className={className} />
  </marker>
);

/** The same in words, for those who do not see it. */
const InWords = ({ graph, steps }: { readonly graph: DrawnGraph; readonly steps: ShownSteps | undefined }) => {
  const t = useText();
  return (
    <ul className="sr-only">
      {graph.nodes.map(({ key, name, type }) => (
        <li key={key}>
          {name} ({typeWord(type, t)}
          {steps ? `, ${statusWord((steps.get(key) ?? notBegun).status, t)}` : ''})
          {graph.edges
            .filter(({ from }) => from === key)
            .map(({ to, label }) => ` → ${to}${label === '' ? '' : ` [${label}]`}`)
            .join(';')}
        </li>
      ))}
    </ul>
  );
};

const Zoom = ({ zoom, showAll }: Pick<GraphView, 'zoom' | 'showAll'>) => {
  const t = useText();
  return (
    <div className="absolute right-2 bottom-2 flex rounded-xl border border-line bg-surface">
      <IconButton label={t('zoomOut')} onClick={() => zoom(0.8)}>
        <Minus aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t('zoomIn')} onClick={() => zoom(1.25)}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t('zoomFit')} onClick={showAll}>
        <Scan aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
};

const stride = 60;
const moves: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [stride, 0],
  ArrowRight: [-stride, 0],
  ArrowUp: [0, stride],
  ArrowDown: [0, -stride],
};
const factors: Readonly<Record<string, number>> = { '+': 1.25, '=': 1.25, '-': 0.8 };

/** What a key does in the picture; false where it does nothing. */
const actOn = (key: string, { pan, zoom, showAll }: GraphView): boolean => {
  const move = moves[key];
  const factor = factors[key];
  if (move) pan(...move);
  else if (factor) zoom(factor);
  else if (key === '0') showAll();
  else return false;
  return true;
};

/** Of each edge, in the order of the graph: the step that it comes from took it. */
const takenEdges = ({ edges }: DrawnGraph, steps: ShownSteps): readonly boolean[] => {
  const counts = new Map<string, number>();
  return edges.map(({ from }) => {
    const n = counts.get(from) ?? 0;
    counts.set(from, n + 1);
    return steps.get(from)?.taken?.includes(n) === true;
  });
};

/** A workflow drawn: its nodes, the ways between them, and, of a run, how each stands and which ways it went. */
export const WorkflowGraph = ({ spec, steps, selected, onSelect, low = false }: WorkflowGraphProps) => {
  const t = useText();
  const graph = useMemo(() => drawnGraph(spec), [spec]);
  const layout = useMemo(() => layoutGraph(graph), [graph]);
  const places = useMemo(() => new Map(layout.nodes.map((place) => [place.key, place])), [layout]);
  const looking = useGraphView(layout.width, layout.height);
  const drag = useDrag(looking.pan);
  const { view, reveal } = looking;
  const taken = steps ? takenEdges(graph, steps) : [];
  const wanted = selected === undefined ? undefined : places.get(selected);
  useEffect(() => {
    if (wanted) reveal(wanted);
  }, [wanted, reveal]);
  return (
    <figure className="relative m-0 overflow-hidden rounded-2xl border border-line bg-canvas">
      {/* biome-ignore lint/a11y/useSemanticElements: a part of the page that is moved about in */}
      <div
        ref={looking.ref}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move in it
        tabIndex={0}
        aria-label={t('workflowGraph')}
        {...drag}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !actOn(event.key, looking)) return;
          event.preventDefault();
        }}
        style={low ? { height: `clamp(11rem, ${heightFor(layout.height)}px, min(26rem, 45dvh))` } : undefined}
        className={`${low ? '' : 'h-[min(28rem,60dvh)]'} cursor-grab touch-pan-y select-none focus-visible:-outline-offset-2 active:cursor-grabbing`}
      >
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the part that it is in has the name */}
        <svg aria-hidden={onSelect ? undefined : true} width="100%" height="100%" className="block">
          <defs>
            <Arrow id="arrow" className="fill-line-strong" />
            <Arrow id="arrow-taken" className="fill-ok" />
          </defs>
          <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            {layout.edges.map((edge) => (
              <EdgeLine key={edge.at} edge={edge} label={graph.edges[edge.at]?.label ?? ''} taken={taken[edge.at] === true} />
            ))}
            {graph.nodes.map((node) => {
              const place = places.get(node.key);
              const step = steps && (steps.get(node.key) ?? notBegun);
              return place ? (
                <GraphNode
                  key={node.key}
                  node={node}
                  place={place}
                  step={step}
                  selected={node.key === selected}
                  onSelect={onSelect && step !== notBegun ? () => onSelect(node.key) : undefined}
                  onReached={() => reveal(place)}
                />
              ) : null;
            })}
          </g>
        </svg>
      </div>
      <InWords graph={graph} steps={steps} />
      <Zoom {...looking} />
    </figure>
  );
};

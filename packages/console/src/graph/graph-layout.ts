/**
 * Where the nodes and edges of a graph are drawn: in layers from top to bottom, with few crossings. Pure.
 *
 * GY1 Every edge between nodes that are there goes downwards, but for those that close a cycle (a draft may have one).
 * GY2 No two nodes overlap, and none of an edge's bends lies on a node: an edge over several layers has a lane of its own.
 * GY3 The same graph gives the same picture.
 */

export type GraphInput = { readonly nodes: readonly { readonly key: string }[]; readonly edges: readonly { readonly from: string; readonly to: string }[] };
export type Point = { readonly x: number; readonly y: number };
/** `x` and `y` are a node's upper left corner; `at` is an edge's index in the input. */
export type PlacedNode = Point & { readonly key: string };
export type PlacedEdge = { readonly at: number; readonly points: readonly Point[] };
export type GraphLayout = { readonly width: number; readonly height: number; readonly nodes: readonly PlacedNode[]; readonly edges: readonly PlacedEdge[] };

export const nodeSize = { width: 184, height: 52 };
const gap = { x: 28, y: 56 };
const lane = 20;
const sweeps = 6;

type Cell = { readonly id: string; readonly wide: number; readonly above: string[]; readonly below: string[]; x: number };
type Wire = { readonly at: number; readonly from: string; readonly to: string };

/** Longest ways from above; what is on a cycle comes behind what is known when nothing else is left. */
const ranksOf = (keys: readonly string[], wires: readonly Wire[]): ReadonlyMap<string, number> => {
  const ranks = new Map<string, number>();
  const waiting = new Set(keys);
  const into = Map.groupBy(wires, ({ to }) => to);
  while (waiting.size > 0) {
    const free = [...waiting].filter((key) => (into.get(key) ?? []).every(({ from }) => from === key || !waiting.has(from)));
    // Of a cycle the first in the order of the spec goes first.
    for (const key of free.length > 0 ? free : [...waiting].slice(0, 1)) {
      const before = (into.get(key) ?? []).flatMap(({ from }) => (from === key ? [] : [ranks.get(from) ?? -1]));
      ranks.set(key, Math.max(-1, ...before) + 1);
    }
    for (const key of ranks.keys()) waiting.delete(key);
  }
  return ranks;
};

type Lattice = { readonly layers: Cell[][]; readonly cells: ReadonlyMap<string, Cell>; readonly ways: ReadonlyMap<number, readonly string[]> };

/** Layers of cells: nodes, and for each edge over several layers one lane in each of those between. */
const latticeOf = (keys: readonly string[], wires: readonly Wire[]): Lattice => {
  const ranks = ranksOf(keys, wires);
  const layers: Cell[][] = [];
  const cells = new Map<string, Cell>();
  const add = (id: string, rank: number, wide: number): void => {
    const cell: Cell = { id, wide, above: [], below: [], x: 0 };
    cells.set(id, cell);
    const layer = layers[rank] ?? [];
    layers[rank] = layer;
    layer.push(cell);
  };
  for (const key of keys) add(key, ranks.get(key) ?? 0, nodeSize.width);
  const ways = new Map<number, readonly string[]>();
  for (const { at, from, to } of wires) {
    const [first, last] = [ranks.get(from) ?? 0, ranks.get(to) ?? 0];
    const way = [from];
    for (let rank = first + 1; rank < last; rank += 1) {
      const id = `\u0000${at}:${rank}`;
      add(id, rank, lane);
      way.push(id);
    }
    way.push(to);
    ways.set(at, way);
    if (last <= first) continue;
    for (let n = 1; n < way.length; n += 1) {
      cells.get(way[n - 1] ?? '')?.below.push(way[n] ?? '');
      cells.get(way[n] ?? '')?.above.push(way[n - 1] ?? '');
    }
  }
  return { layers, cells, ways };
};

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Each layer in the order of the middle of its neighbours, down and up again, until that is calm. */
const orderLayers = ({ layers }: Lattice): void => {
  const place = new Map<string, number>();
  const note = (layer: readonly Cell[]): void => {
    for (const [at, { id }] of layer.entries()) place.set(id, at / Math.max(layer.length - 1, 1));
  };
  for (const layer of layers) note(layer);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) {
      const middle = new Map(layer.map((cell) => [cell.id, mean((down ? cell.above : cell.below).map((id) => place.get(id) ?? 0)) ?? place.get(cell.id) ?? 0]));
      layer.sort((one, other) => (middle.get(one.id) ?? 0) - (middle.get(other.id) ?? 0));
      note(layer);
    }
  }
};

const apart = (one: Cell, other: Cell): number => (one.wide + other.wide) / 2 + gap.x;

/** Towards the middle of the neighbours, as far as those beside it let it. */
const placeLayers = ({ layers, cells }: Lattice): void => {
  for (const layer of layers) {
    let x = 0;
    for (const [at, cell] of layer.entries()) {
      const before = layer[at - 1];
      x += before ? apart(before, cell) : 0;
      cell.x = x;
    }
    for (const cell of layer) cell.x -= x / 2;
  }
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) settle(layer, cells, down);
  }
};

const settle = (layer: readonly Cell[], cells: Lattice['cells'], down: boolean): void => {
  const wished = layer.map((cell) => mean((down ? cell.above : cell.below).map((id) => cells.get(id)?.x ?? cell.x)) ?? cell.x);
  // From the left each as far left as it may be, from the right as far right: the middle of both keeps all gaps.
  const left = wished.slice();
  for (let at = 1; at < layer.length; at += 1) left[at] = Math.max(left[at] ?? 0, (left[at - 1] ?? 0) + apart(layer[at - 1] as Cell, layer[at] as Cell));
  const right = wished.slice();
  for (let at = layer.length - 2; at >= 0; at -= 1)
    right[at] = Math.min(right[at] ?? 0, (right[at + 1] ?? 0) - apart(layer[at] as Cell, layer[at + 1] as Cell));
  for (const [at, cell] of layer.entries()) cell.x = ((left[at] ?? 0) + (right[at] ?? 0)) / 2;
};

export const layoutGraph = ({ nodes, edges }: GraphInput): GraphLayout => {
  const keys = [...new Set(nodes.map(({ key }) => key))];
  const known = new Set(keys);
  const wires = edges.flatMap(({ from, to }, at) => (known.has(from) && known.has(to) ? [{ at, from, to }] : []));
  const lattice = latticeOf(keys, wires);
  orderLayers(lattice);
  placeLayers(lattice);
  const { layers, cells, ways } = lattice;
  const all = [...cells.values()];
  const least = Math.min(0, ...all.map(({ x, wide }) => x - wide / 2));
  const rankOf = new Map(layers.flatMap((layer, rank) => layer.map(({ id }) => [id, rank] as const)));
  const top = (id: string): number => (rankOf.get(id) ?? 0) * (nodeSize.height + gap.y);
  const centre = (id: string): number => (cells.get(id)?.x ?? 0) - least;
  const bend = (id: string): readonly Point[] => [
    { x: centre(id), y: top(id) },
    { x: centre(id), y: top(id) + nodeSize.height },
  ];
  return {
    width: Math.max(0, ...all.map(({ x, wide }) => x + wide / 2)) - least,
    height: layers.length === 0 ? 0 : layers.length * nodeSize.height + (layers.length - 1) * gap.y,
    nodes: keys.map((key) => ({ key, x: centre(key) - nodeSize.width / 2, y: top(key) })),
    edges: wires.map(({ at, from, to }) => {
      const between = (ways.get(at) ?? []).slice(1, -1).flatMap(bend);
      return { at, points: [{ x: centre(from), y: top(from) + nodeSize.height }, ...between, { x: centre(to), y: top(to) }] };
    }),
  };
};

/** As the path of an SVG: straight down through lanes, in curves between layers. */
export const pathOf = ([first, ...rest]: readonly Point[]): string => {
  if (!first) return '';
  let last = first;
  const parts = rest.map((point) => {
    const middle = (last.y + point.y) / 2;
    const part = last.x === point.x ? `L${point.x},${point.y}` : `C${last.x},${middle} ${point.x},${middle} ${point.x},${point.y}`;
    last = point;
    return part;
  });
  return `M${first.x},${first.y}${parts.join('')}`;
};

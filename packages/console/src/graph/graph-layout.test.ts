import { expect, test } from 'vitest';
import { type GraphInput, layoutGraph, nodeSize, pathOf } from './graph-layout.ts';

const graph = (...edges: readonly string[]): GraphInput => {
  const pairs = edges.map((edge) => edge.split('>') as [string, string]);
  return { nodes: [...new Set(pairs.flat())].map((key) => ({ key })), edges: pairs.map(([from, to]) => ({ from, to })) };
};
const at = (input: GraphInput) => new Map(layoutGraph(input).nodes.map((node) => [node.key, node]));

test('GY1 edges go downwards, and no further than they must', () => {
  const input = graph('a>b', 'a>c', 'b>d', 'c>d', 'a>d', 'd>e');
  const nodes = at(input);
  for (const { from, to } of input.edges) expect(nodes.get(to)?.y).toBeGreaterThan(nodes.get(from)?.y ?? 0);
  expect(nodes.get('b')?.y).toBe(nodes.get('c')?.y);
  const fork = at(graph('a>b', 'a>c'));
  expect(fork.get('a')?.x).toBeCloseTo(((fork.get('b')?.x ?? 0) + (fork.get('c')?.x ?? 0)) / 2);
});

test('GY2 nodes do not overlap, and no bend of an edge lies on one', () => {
  const wide = graph(...Array.from({ length: 12 }, (_, n) => [`s>n${n}`, `n${n}>t`]).flat(), 's>t', 't>u', 's>u', 'n3>u');
  const { nodes, edges, width, height } = layoutGraph(wide);
  for (const [n, one] of nodes.entries()) {
    expect([one.x >= 0, one.x + nodeSize.width <= width + 0.01, one.y + nodeSize.height <= height + 0.01]).toEqual([true, true, true]);
    for (const other of nodes.slice(n + 1)) expect(one.y !== other.y || Math.abs(one.x - other.x) >= nodeSize.width).toBe(true);
  }
  const within = ({ x, y }: { readonly x: number; readonly y: number }) =>
    nodes.filter((node) => x > node.x && x < node.x + nodeSize.width && y > node.y && y < node.y + nodeSize.height);
  for (const { points } of edges) for (const { x, y } of points.slice(1, -1)) expect(within({ x, y: y + 0.5 }).concat(within({ x, y: y - 0.5 }))).toEqual([]);
});

test('two lines that could cross do not', () => {
  const nodes = at(graph('a>x', 'b>y', 'a>x2', 'b>y2'));
  const left = (key: string): number => nodes.get(key)?.x ?? 0;
  expect(Math.max(left('x'), left('x2')) < Math.min(left('y'), left('y2'))).toBe(left('a') < left('b'));
});

test('GY3 a draft with a cycle, with edges to nowhere, with nothing: always a picture, and the same one', () => {
  const odd = { ...graph('a>b', 'b>c', 'c>a', 'c>c'), edges: [...graph('a>b', 'b>c', 'c>a', 'c>c').edges, { from: 'a', to: 'nowhere' }] };
  const layout = layoutGraph(odd);
  expect([layout.nodes.length, layout.edges.length]).toEqual([3, 4]);
  expect(layoutGraph(odd)).toEqual(layout);
  expect(layoutGraph({ nodes: [], edges: [] })).toEqual({ width: 0, height: 0, nodes: [], edges: [] });
  expect(
    pathOf([
      { x: 1, y: 2 },
      { x: 1, y: 4 },
      { x: 3, y: 8 },
    ]),
  ).toBe('M1,2L1,4C1,6 3,6 3,8');
});

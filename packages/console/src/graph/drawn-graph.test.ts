import { expect, test } from 'vitest';
import { drawnGraph } from './drawn-graph.ts';

test('of a draft what is there is drawn: labels for all but plain success', () => {
  const graph = drawnGraph({
    nodes: [{ key: 'a', type: 'agent' }, { key: 'b', type: 'timer', name: 'Wait' }, { key: 'a' }, {}, 7],
    edges: [
      { from: 'a', to: 'b', on: ['failed', 'timed_out'], condition: 'x > 1' },
      { from: 'a', to: 'b', on: ['succeeded'] },
      { from: 'a', to: 'c' },
    ],
  });
  expect(graph.nodes).toEqual([
    { key: 'a', type: 'agent', name: 'a' },
    { key: 'b', type: 'timer', name: 'Wait' },
  ]);
  expect(graph.edges.map(({ label }) => label)).toEqual(['failed, timed_out · x > 1', '']);
  expect(drawnGraph('nothing')).toEqual({ nodes: [], edges: [] });
});

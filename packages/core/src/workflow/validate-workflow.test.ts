import { describe, expect, it } from 'vitest';
import { plainCheck, spec } from '../testing/flow-simulator.ts';
import { isPublishable, workflowFaults } from './validate-workflow.ts';

const agent = (key: string, more: object = {}): object => ({ key, type: 'agent', agentId: 'a', input: { message: '"go"' }, ...more });
const faultsOf = (nodes: readonly object[], edges: readonly object[] = [], output?: string): readonly string[] =>
  workflowFaults(spec(nodes, edges, output), plainCheck).map(
    ({ pointer, code, severity }) => `${pointer} ${code}${severity === 'warning' ? ' (warning)' : ''}`,
  );

describe('workflowFaults', () => {
  it('finds none in a whole workflow', () => {
    expect(
      faultsOf(
        [
          agent('a', { input: { message: 'run.input' }, retry: { maxAttempts: 2 }, timeoutSeconds: 5 }),
          { key: 'm', type: 'map', items: 'nodes.a.output', node: { type: 'agent', agentId: 'b', input: { message: 'item', n: 'index' } } },
          { key: 'p', type: 'approval', approval: { approverRef: 'u', prompt: 'Send {{ nodes.m.output }}?' } },
          { key: 't', type: 'timer', timer: { at: '"2030-01-01T00:00:00+02:00"' } },
        ],
        [
          { from: 'a', to: 'm' },
          { from: 'm', to: 'p', condition: 'nodes.m.output' },
          { from: 'p', to: 't', on: ['rejected'] },
        ],
        'nodes.p.status',
      ),
    ).toEqual([]);
  });

  it('warns of a node that is told nothing, and so fails', () => {
    const silent = { type: 'agent', agentId: 'a' };
    expect(
      faultsOf([
        { key: 'a', ...silent },
        { key: 'm', type: 'map', items: '[1]', node: silent },
      ]),
    ).toEqual(['/nodes/0/input nothing_said (warning)', '/nodes/1/node/input nothing_said (warning)']);
    expect(faultsOf([{ key: 's', type: 'subrun', definitionRevisionId: 'r' }])).toEqual([]);
  });

  it('takes no key that its result could not be kept under', () => {
    expect(() => spec([agent('__proto__')])).toThrow('__proto__');
    expect(faultsOf([agent('constructor')])).toEqual([]);
  });

  it('names every fault of a graph at once', () => {
    expect(faultsOf([])).toEqual(['/nodes no_nodes']);
    const found = faultsOf(
      [agent('a'), agent('b'), agent('a'), agent('c'), agent('d'), agent('e')],
      [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'b', on: ['failed'] },
        { from: 'a', to: 'nowhere' },
        { from: 'b', to: 'b' },
        { from: 'c', to: 'd' },
        { from: 'd', to: 'c' },
        { from: 'd', to: 'e' },
      ],
    );
    expect(found).toEqual([
      '/nodes/2/key duplicate_key',
      '/edges/1 duplicate_edge',
      '/edges/2/to unknown_node',
      '/edges/3 self_edge',
      '/nodes/3 cycle',
      '/nodes/5 unreachable',
    ]);
    const [cycle] = workflowFaults(
      spec(
        [agent('x'), agent('y')],
        [
          { from: 'x', to: 'y' },
          { from: 'y', to: 'x' },
        ],
      ),
      plainCheck,
    );
    expect(cycle?.detail).toBe('these nodes lead back to one another: "x" → "y" → "x"');
  });

  it('knows what a type of node can do', () => {
    const join = (key: string, of: object): object => ({ key, type: 'join', join: of });
    expect(
      faultsOf(
        [
          agent('a'),
          agent('b'),
          join('one', { mode: 'all' }),
          join('many', { mode: 'quorum', count: 3 }),
          join('none', { mode: 'quorum' }),
          join('counted', { mode: 'any', count: 1 }),
          { key: 't', type: 'timer', timer: { durationSeconds: 1 }, retry: { maxAttempts: 2 }, timeoutSeconds: 1 },
          {
            ...{ key: 'm', type: 'map', items: '[]', node: { type: 'agent', agentId: 'a', input: { message: '"go"' } } },
            ...{ timeoutSeconds: 1, retry: { maxAttempts: 2 } },
          },
          agent('late'),
        ],
        [
          { from: 'a', to: 'one' },
          ...['many', 'none', 'counted'].flatMap((to) => [
            { from: 'a', to },
            { from: 'b', to },
          ]),
          { from: 't', to: 'late', on: ['timed_out'] },
        ],
      ),
    ).toEqual([
      '/nodes/8 unreachable',
      '/nodes/2/join join_edges',
      '/nodes/3/join/count quorum_count',
      '/nodes/4/join quorum_count',
      '/nodes/5/join/count quorum_count',
      '/nodes/6/timeoutSeconds not_taken_here',
      '/nodes/6/retry not_taken_here',
      '/edges/7/on/0 outcome_impossible (warning)',
      '/nodes/7/retry not_taken_here',
    ]);
  });

  it('checks each expression where it stands', () => {
    const nodes = [
      agent('a', { input: { 'to/do': 'nonsense', message: 'nodes.b.output', more: 'nodes.zzz.output', n: 'item' } }),
      { key: 'b', type: 'condition', condition: '"yes"' },
      { key: 't', type: 'timer', timer: { at: '"soon"' } },
      { key: 'm', type: 'map', items: '{}', node: { type: 'agent', agentId: 'a', input: { message: '"go"' } } },
      { key: 'p', type: 'approval', approval: { approverRef: 'u', prompt: 'Line one\n{{ nodes }} and {{ open' } },
      { key: 'q', type: 'approval', approval: { approverRef: 'u', prompt: 'Line one\n and {{ what }}' } },
      { key: 'c', type: 'condition', condition: 'true' },
    ];
    const edges = [
      { from: 'a', to: 'b', condition: 'nodes.a.cost' },
      { from: 'c', to: 'q', condition: '1' },
    ];
    const found = workflowFaults(spec(nodes, edges, 'index'), plainCheck);
    expect(found.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`)).toEqual([
      '/nodes/0/input/to~1do expression: unknown name nonsense (line 1, column 1)',
      '/nodes/0/input/message reference_not_before: "b" does not lead to "a": nothing is known of it there (line 1, column 1)',
      '/nodes/0/input/more unknown_reference: there is no node "zzz" (line 1, column 1)',
      '/nodes/0/input/n name_not_here: `item` is there in the `node` of a map only (line 1, column 1)',
      '/nodes/1/condition type: it must give true or false, and gives a text',
      '/nodes/2/timer/at time: "soon" is no time',
      '/nodes/3/items type: it must give a list, and gives an object',
      '/nodes/4/approval/prompt prompt: a {{ has no }} that ends it (line 2, column 17)',
      '/nodes/5/approval/prompt expression: unknown name what (line 2, column 9)',
      '/nodes/6/condition constant_condition: it is always true',
      '/edges/0/condition unknown_reference: a node has `output` and `status`, no `cost` (line 1, column 1)',
      '/edges/1/condition type: it must give true or false, and gives a number',
      '/output name_not_here: `index` is there in the `node` of a map only (line 1, column 1)',
    ]);
    expect(isPublishable(found)).toBe(false);
  });

  it('warns where a condition leads nowhere when it is false, and bounds what follows one node', () => {
    const many = Array.from({ length: 33 }, (_, n) => agent(`n${n}`));
    expect(faultsOf(many)).toEqual(['/nodes fan_out']);
    const edges = many.map((_, n) => ({ from: 'c', to: `n${n}` }));
    const nodes = [{ key: 'c', type: 'condition', condition: 'run.input' }, ...many];
    expect(faultsOf(nodes, edges)).toEqual(['/nodes/0 no_way_on (warning)', '/nodes/0 fan_out']);
    expect(isPublishable(workflowFaults(spec(nodes.slice(0, 2), edges.slice(0, 1)), plainCheck))).toBe(true);
  });
});

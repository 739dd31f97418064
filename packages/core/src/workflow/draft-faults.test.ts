/** GV3: of a draft that is no spec all is told that can be told, and nothing that only follows from what cannot be read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCheck } from '../testing/flow-simulator.ts';
import { graphs } from '../testing/random-workflows.ts';
import { judgeDraft } from './draft-faults.ts';

type Node = Record<string, unknown>;
type Draft = { readonly nodes: readonly unknown[]; readonly edges: readonly unknown[] } & Record<string, unknown>;

const agent = (key: string, more: Node = {}): Node => ({ key, type: 'agent', agentId: 'a', input: { message: '"go"' }, ...more });
const told = (draft: unknown): readonly string[] => judgeDraft(draft, plainCheck).faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('judgeDraft', () => {
  it('GV3 tells of a misspelt member beside an unknown node, a cycle, a bad expression and a join', () => {
    const { agentId, ...misspelt } = agent('b');
    const found = told({
      nodes: [
        agent('a', { input: { message: 'nonsense' } }),
        { ...misspelt, agentid: agentId },
        agent('c'),
        agent('d'),
        { key: 'j', type: 'join', join: { mode: 'quorum', count: 3 } },
      ],
      edges: [
        { from: 'a', to: 'nowhere' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'd' },
        { from: 'd', to: 'c' },
        { from: 'a', to: 'j' },
        { from: 'b', to: 'j' },
      ],
    });
    expect(found).toEqual([
      '/nodes/1/agentId shape',
      '/nodes/1 shape',
      '/edges/0/to unknown_node',
      '/nodes/2 cycle',
      '/nodes/4/join/count quorum_count',
      '/nodes/0/input/message expression',
    ]);
  });

  it('GV3 judges a node of a misspelt type as what it is meant to be', () => {
    const found = told({
      nodes: [agent('a'), { key: 'c', type: 'conditon', condition: '"yes"', name: 5 }],
      edges: [{ from: 'c', to: 'a', on: ['timed_out'] }],
    });
    expect(found).toContain('/nodes/1/type shape');
    expect(found).toContain('/nodes/1/name shape');
    expect(found).toContain('/nodes/1/condition type');
    expect(found).toContain('/edges/0/on/0 outcome_impossible');
  });

  it('says nothing of what may only be missing because it cannot be read', () => {
    const join = { key: 'j', type: 'join', join: { mode: 'all' } };
    const later = agent('z', { input: { message: 'nodes.a.output' } });
    // Whither an edge leads: it may be the one that is missing.
    expect(told({ nodes: [agent('a'), agent('b'), join, later], edges: [{ from: 'a', to: 'j' }, { from: 'a' }] })).toEqual(['/edges/1/to shape']);
    expect(told({ nodes: [agent('a'), agent('b'), join], edges: [{ from: 'a', to: 'j' }, { to: 'j' }] })).toEqual(['/edges/1/from shape']);
    expect(told({ nodes: [agent('a'), join, later], edges: 'none' })).toEqual(['/edges shape']);
    expect(told({ nodes: [agent('a'), join, later], egdes: [] })).toEqual([' shape']);
    expect(
      told({
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'b' },
        ],
        output: 'nodes.c.output',
      }),
    ).toEqual(['/nodes shape', '/edges/1 self_edge']);
    // Another node has no name: those that are nobody's may be its own.
    expect(
      told({
        nodes: [agent('a'), { ...agent('?'), key: undefined }, later],
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'z' },
        ],
      }),
    ).toEqual(['/nodes/1/key shape']);
    expect(
      told({
        nodes: [agent('a'), { ...agent('?'), key: undefined }],
        edges: [
          { from: 'a', to: 'b' },
          { from: 'a', to: 'c' },
        ],
      }),
    ).toEqual(['/nodes/1/key shape', '/edges/0/to unknown_node', '/edges/1/to unknown_node']);
    for (const draft of [null, 5, [], {}, { nodes: {} }, { nodes: [null, 5, [], {}], edges: [null, 5, [], {}] }])
      expect(told(draft).every((fault) => fault.endsWith(' shape'))).toBe(true);
  });
});

type Plant = { readonly is: string; readonly put: (draft: Draft, tag: string) => Draft; readonly told: (draft: Draft) => readonly string[] };

const grown = (draft: Draft, nodes: readonly unknown[], edges: readonly unknown[] = []): Draft => ({
  ...draft,
  nodes: [...draft.nodes, ...nodes],
  edges: [...draft.edges, ...edges],
});

/** A node, alone, and what is told of it. */
const ofNode = (is: string, node: (tag: string) => unknown, ...places: readonly string[]): Plant => ({
  is,
  put: (draft, tag) => grown(draft, [JSON.parse(JSON.stringify(node(tag)))]),
  told: ({ nodes }) => places.map((place) => `/nodes/${nodes.length}${place}`),
});
/** A node behind another, or two of them, and an edge to it. */
const ofEdge = (is: string, edge: (tag: string) => unknown, ...places: readonly string[]): Plant => ({
  is,
  put: (draft, tag) => grown(draft, [agent(`s${tag}`), agent(`t${tag}`)], [edge(tag)]),
  told: ({ edges }) => places.map((place) => `/edges/${edges.length}${place}`),
});

const { agentId: _, ...noAgent } = agent('');
const deeper: readonly Plant[] = [
  ofEdge('an edge to an unknown node', (tag) => ({ from: `s${tag}`, to: `nowhere${tag}` }), '/to unknown_node'),
  ofEdge('an edge to itself', (tag) => ({ from: `s${tag}`, to: `s${tag}` }), ' self_edge'),
  ofEdge('an edge with a bad condition', (tag) => ({ from: `s${tag}`, to: `t${tag}`, condition: 'nonsense' }), '/condition expression'),
  {
    is: 'a cycle',
    put: (draft, tag) =>
      grown(
        draft,
        [agent(`s${tag}`), agent(`t${tag}`)],
        [
          { from: `s${tag}`, to: `t${tag}` },
          { from: `t${tag}`, to: `s${tag}` },
        ],
      ),
    told: ({ nodes }) => [`/nodes/${nodes.length} cycle`],
  },
  ofNode('a join without edges', (tag) => ({ key: `j${tag}`, type: 'join', join: { mode: 'any' } }), '/join join_edges'),
  ofNode('a bad expression', (tag) => agent(`e${tag}`, { input: { message: 'nonsense' } }), '/input/message expression'),
  ofNode('an unknown name in an expression', (tag) => agent(`e${tag}`, { input: { message: 'nodes.zzz.output' } }), '/input/message unknown_reference'),
  ofNode('a look at what has not ended', (tag) => agent(`e${tag}`, { input: { message: 'nodes.n0.output' } }), '/input/message reference_not_before'),
  ofNode('another type', (tag) => ({ key: `c${tag}`, type: 'condition', condition: '"yes"' }), '/condition type'),
  ofNode('a key that is taken', () => agent('n0'), '/key duplicate_key'),
  ofNode('a retry of a timer', (tag) => ({ key: `t${tag}`, type: 'timer', timer: { durationSeconds: 1 }, retry: { maxAttempts: 2 } }), '/retry not_taken_here'),
];

/** Their nodes are led to, looked at and joined, so that much could follow. */
const shapes: readonly Plant[] = [
  ofNode('a misspelt member', (tag) => ({ ...noAgent, key: `m${tag}`, agentid: 'a' }), '/agentId shape', ' shape'),
  ofNode('a misspelt input', (tag) => ({ ...agent(`m${tag}`), input: undefined, inputs: { message: '"go"' } }), ' shape'),
  ofNode('a misspelt type', (tag) => agent(`m${tag}`, { type: 'agnet' }), '/type shape'),
  ofNode('an unknown type', (tag) => ({ key: `m${tag}`, type: 'robot' }), '/type shape'),
  ofNode('a member of another type', (tag) => agent(`m${tag}`, { timeoutSeconds: 'long' }), '/timeoutSeconds shape'),
  ofNode('an input that is no text', (tag) => agent(`m${tag}`, { input: { message: 5 } }), '/input/message shape'),
  ofNode('no node at all', () => 5, ' shape'),
  ofNode('a timer without time', (tag) => ({ key: `m${tag}`, type: 'timer', timer: {} }), '/timer shape'),
  ofNode(
    'a map of a misspelt node',
    (tag) => ({ key: `m${tag}`, type: 'map', items: '[1]', node: { ...noAgent, key: undefined, agentid: 'a' } }),
    '/node/agentId shape',
    '/node shape',
  ),
  ofNode('an approval of nobody', (tag) => ({ key: `m${tag}`, type: 'approval', approval: { prompt: 'Well?' } }), '/approval/approverRef shape'),
  ofEdge('an edge of a misspelt member', (tag) => ({ from: `s${tag}`, too: `t${tag}` }), '/to shape', ' shape'),
  ofEdge('an edge on what there is not', (tag) => ({ from: `s${tag}`, to: `t${tag}`, on: ['suceeded'] }), '/on/0 shape'),
  ofEdge('an edge with a condition that is no text', (tag) => ({ from: `s${tag}`, to: `t${tag}`, condition: true }), '/condition shape'),
  ...(
    [
      ['a misspelt key', (tag: string) => ({ ...agent('x'), key: undefined, kye: `k${tag}` }), ['/key shape', ' shape']],
      ['a key that is none', (tag: string) => agent(`not-a-key-${tag}`), ['/key shape']],
      ['no key', () => ({ ...agent('x'), key: undefined }), ['/key shape']],
    ] as const
  ).map(
    ([is, node, places]): Plant => ({
      is,
      put: (draft, tag) => {
        const key = is === 'a key that is none' ? `not-a-key-${tag}` : `k${tag}`;
        const join = { key: `j${tag}`, type: 'join', join: { mode: 'all' } };
        const last = agent(`l${tag}`, { input: { message: `nodes.s${tag}.output` } });
        const nodes = [JSON.parse(JSON.stringify(node(tag))), agent(`s${tag}`), agent(`o${tag}`), join, last];
        const edges = [
          [`s${tag}`, key],
          [key, `j${tag}`],
          [`o${tag}`, `j${tag}`],
          [key, `l${tag}`],
        ].map(([from, to]) => ({ from, to }));
        return grown(draft, nodes, edges);
      },
      told: ({ nodes }) => places.map((place) => `/nodes/${nodes.length}${place}`),
    }),
  ),
  {
    is: 'a join of a misspelt mode',
    put: (draft, tag) => {
      const nodes = [{ key: `j${tag}`, type: 'join', join: { mode: 'quorom' } }, agent(`s${tag}`), agent(`o${tag}`)];
      return grown(
        draft,
        nodes,
        ['s', 'o'].map((from) => ({ from: `${from}${tag}`, to: `j${tag}` })),
      );
    },
    told: ({ nodes }) => [`/nodes/${nodes.length}/join/mode shape`],
  },
  { is: 'a misspelt output', put: (draft) => ({ ...draft, outputs: 'run.input' }), told: () => [' shape'] },
];

const bases = graphs({ races: true, failFast: false }).map(({ of }) => JSON.parse(JSON.stringify(of)) as Draft);
const all = [...deeper, ...shapes];

describe('any workflow with faults', () => {
  it.each(all)('$is is named', ({ put, told: wanted }) => {
    fc.assert(
      fc.property(bases, (base) => {
        expect(told(put(base, 'p'))).toEqual(expect.arrayContaining([...wanted(base)]));
      }),
      { numRuns: 10 },
    );
  });

  it.each(shapes)('nothing follows from $is but what shape says', ({ put }) => {
    fc.assert(
      fc.property(bases, (base) => {
        const before = new Set(told(base));
        expect(told(put(base, 'p')).filter((fault) => !before.has(fault) && !fault.endsWith(' shape'))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('names each wherever another one is', () => {
    fc.assert(
      fc.property(bases, fc.constantFrom(...all), fc.constantFrom(...all), (base, one, other) => {
        const first = one.put(base, 'p');
        const wanted = [...told(base), ...one.told(base), ...other.told(first)];
        expect(told(other.put(first, 'q')), `${one.is}, ${other.is}`).toEqual(expect.arrayContaining(wanted));
      }),
      { numRuns: 1_500 },
    );
  });
});

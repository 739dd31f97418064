/**
 * Workflows at random, as they are published: each with all that is known of it before it runs — how every attempt of every node ends, and
 * when the condition of an edge holds. Whoever judges a run needs to ask nothing of the code that made it.
 */
import type { Random } from '../harness/random.ts';

export type End = 'succeeded' | 'failed' | 'timed_out' | 'rejected';
/** What an expression looks at: nothing but a fixed answer, how a node ended, or that a condition gave false. */
export type Test = { readonly kind: 'fixed'; readonly value: boolean } | { readonly kind: 'succeeded' | 'not_succeeded' | 'gave_false'; readonly key: string };
/** The elements of a map: so many, or as many as another map gave, and so many where that gave nothing. */
export type Items = { readonly of?: string; readonly count: number };

export type NodeKind = 'agent' | 'subrun' | 'map' | 'condition' | 'join' | 'timer' | 'signal' | 'approval';
export type MadeNode = {
  readonly key: string;
  readonly type: NodeKind;
  /** How many attempts it has: a map's of each element. */
  readonly attempts: number;
  readonly backoffSeconds: number;
  readonly timeoutSeconds?: number;
  readonly failurePolicy?: 'fail_fast' | 'continue' | 'partial_success';
  /** Attempt by attempt; of a map for each element. Of others than agents, elements, signals and approvals the graph decides. */
  readonly ends: readonly (readonly End[])[];
  /** Of an agent or an agent's element: it has an effect before it answers. */
  readonly hasEffect?: true;
  /** Of an agent: what it is told cannot be evaluated. */
  readonly isBroken?: true;
  readonly gives?: Test;
  readonly join?: { readonly mode: 'all' | 'any' | 'quorum'; readonly count?: number };
  readonly seconds?: number;
  readonly items?: Items;
  readonly maxParallel?: number;
  /** Of a subrun, and of a map of subruns. */
  readonly inner?: MadeFlow;
};
export type MadeEdge = { readonly from: string; readonly to: string; readonly on?: readonly End[]; readonly when?: Test };
export type MadeFlow = {
  readonly nodes: readonly MadeNode[];
  readonly edges: readonly MadeEdge[];
  /** It says itself what it comes to: the outputs of all its nodes. */
  readonly tellsAll: boolean;
  /** Joins may be decided before all of their edges are known: what it comes to depends on the order in which things end. */
  readonly races: boolean;
  /** The first failure may end it: which of several does depends on the order. */
  readonly failFast: boolean;
};

/** How long things take. `timeout` is of what is never answered, and of joins and maps where things race: elsewhere time decides nothing. */
export type Pace = { readonly timer: number; readonly backoff: number; readonly timeout: number };

type Making = { readonly random: Random; readonly pace: Pace; readonly races: boolean; readonly failFast: boolean; readonly depth: number };

const most = 6;

const policyOf = ({ random, failFast }: Making): Pick<MadeNode, 'failurePolicy'> => {
  if (!failFast) return { failurePolicy: random.pick(['continue', 'partial_success']) };
  const policy = random.pick([undefined, undefined, undefined, 'continue', 'partial_success', 'fail_fast'] as const);
  return policy ? { failurePolicy: policy } : {};
};

/** Until the first that succeeds; what is left of the attempts is not needed. */
const endsOf = (random: Random, attempts: number): readonly End[] => {
  const ends: End[] = [];
  while (ends.length < attempts && ends.at(-1) !== 'succeeded') ends.push(random.chance(0.35) ? 'failed' : 'succeeded');
  return ends;
};

const attemptsOf = ({ random, pace }: Making): Pick<MadeNode, 'attempts' | 'backoffSeconds'> =>
  random.chance(0.45) ? { attempts: 1 + random.below(3), backoffSeconds: random.below(3) * pace.backoff } : { attempts: 1, backoffSeconds: 0 };

const agentOf = (making: Making): Partial<MadeNode> => {
  const { random, pace } = making;
  const tries = attemptsOf(making);
  if (random.chance(0.06)) return { ...tries, isBroken: true, ends: [['failed']] };
  const effect = random.chance(0.4) ? ({ hasEffect: true } as const) : {};
  if (random.chance(0.1)) {
    const attempts = Math.min(tries.attempts, 2);
    return { ...tries, ...effect, attempts, timeoutSeconds: pace.timeout, ends: [Array(attempts).fill('timed_out')] };
  }
  return { ...tries, ...effect, ends: [endsOf(random, tries.attempts)] };
};

const asked = (making: Making, key: string, type: 'signal' | 'approval'): Partial<MadeNode> => {
  const { random, pace } = making;
  if (random.chance(0.2)) {
    const attempts = 1 + random.below(2);
    return { key, type, attempts, backoffSeconds: 0, timeoutSeconds: pace.timeout, ends: [Array(attempts).fill('timed_out')] };
  }
  return { key, type, ends: [[type === 'approval' && random.chance(0.4) ? 'rejected' : 'succeeded']] };
};

const mapOf = (making: Making, key: string, earlier: readonly MadeNode[]): Partial<MadeNode> => {
  const { random, races } = making;
  const tries = attemptsOf(making);
  const maps = races ? [] : earlier.filter(({ type }) => type === 'map');
  const of = maps.length > 0 && random.chance(0.4) ? { of: maps[random.below(maps.length)]?.key ?? '' } : {};
  const inner = making.depth === 0 && random.chance(0.15) ? { inner: innerOf(making, key) } : {};
  const ends = Array.from({ length: most }, () => endsOf(random, tries.attempts));
  const effect = random.chance(0.4) ? ({ hasEffect: true } as const) : {};
  return { ...tries, ...inner, ...effect, ends, items: { ...of, count: random.below(most) }, maxParallel: 1 + random.below(3) };
};

const innerOf = ({ random, pace }: Making, key: string): MadeFlow =>
  flowOf({ random, pace, races: false, failFast: random.chance(0.5), depth: 1 }, `${key}_`, 1 + random.below(3));

const truthOf = ({ random, races }: Making, before: readonly MadeNode[]): Test => {
  const one = before[random.below(Math.max(before.length, 1))];
  if (!one || races || random.chance(0.5)) return { kind: 'fixed', value: random.chance(0.6) };
  return { kind: random.chance(0.7) ? 'succeeded' : 'not_succeeded', key: one.key };
};

const kindOf = (random: Random, depth: number): Exclude<NodeKind, 'join'> =>
  random.pick(['agent', 'agent', 'agent', 'agent', 'condition', 'timer', 'signal', 'approval', 'map', ...(depth === 0 ? (['subrun'] as const) : [])]);

/** `before`: what leads there. */
const nodeOf = (making: Making, key: string, earlier: readonly MadeNode[], before: readonly MadeNode[], incoming: number): MadeNode => {
  const { random, races, depth, pace } = making;
  const common = { key, attempts: 1, backoffSeconds: 0, ends: [], ...policyOf(making) };
  /** Which of a time-out and what is waited for comes first is chance. */
  const late = races && random.chance(0.15) ? { timeoutSeconds: pace.timeout } : {};
  if (incoming > 1 && random.chance(0.6)) {
    const mode = races ? random.pick(['all', 'any', 'quorum', 'quorum'] as const) : 'all';
    return { ...common, ...late, type: 'join', join: { mode, ...(mode === 'quorum' ? { count: 1 + random.below(incoming) } : {}) } };
  }
  const type = kindOf(random, depth);
  switch (type) {
    case 'agent':
      return { ...common, type, ...agentOf(making) };
    case 'subrun':
      return { ...common, type, ...attemptsOf(making), inner: innerOf(making, key) };
    case 'map':
      return { ...common, ...late, type, ...mapOf(making, key, earlier) };
    case 'condition':
      return { ...common, type, gives: truthOf(making, before) };
    case 'timer':
      return { ...common, type, seconds: random.below(4) * pace.timer };
    case 'signal':
    case 'approval':
      return { ...common, ...asked(making, key, type) } as MadeNode;
  }
};

const canEnd: Readonly<Partial<Record<NodeKind, readonly End[]>>> = {
  agent: ['timed_out'],
  subrun: ['timed_out'],
  signal: ['timed_out'],
  approval: ['timed_out', 'rejected'],
};

const edgeOf = (making: Making, from: MadeNode, to: string): MadeEdge => {
  const { random } = making;
  const special = canEnd[from.type] ?? [];
  const on = random.pick([undefined, undefined, undefined, ['failed'], ['succeeded', 'failed'], ...special.map((end) => [end])] as const) as End[] | undefined;
  const edge = { from: from.key, to, ...(on ? { on } : {}) };
  if (from.type === 'condition' && random.chance(0.4)) return { ...edge, when: { kind: 'gave_false', key: from.key } };
  if (random.chance(0.6)) return edge;
  return { ...edge, when: truthOf(making, [from]) };
};

const flowOf = (making: Making, prefix: string, size: number): MadeFlow => {
  const { random, races, failFast } = making;
  const nodes: MadeNode[] = [];
  const edges: MadeEdge[] = [];
  for (let n = 0; n < size; n += 1) {
    const key = `${prefix}${n}`;
    const before = nodes.filter((_, at) => n > 0 && random.chance(Math.min(0.9, 2 / n)) && at < n);
    for (const from of before) edges.push(edgeOf(making, from, key));
    nodes.push(
      nodeOf(
        making,
        key,
        nodes.filter(({ key: one }) => leadsTo(edges, one, key)),
        before,
        before.length,
      ),
    );
  }
  const isRace = (key: string): boolean => nodes.some((node) => node.key === key && node.join !== undefined && node.join.mode !== 'all');
  /** What only races wait for need not say that it may fail. */
  const silent = nodes.map(({ failurePolicy: policy, ...node }) => {
    const out = edges.filter(({ from }) => from === node.key);
    const isLeft = out.length > 0 && out.every(({ to }) => isRace(to)) && random.chance(0.5);
    return { ...node, ...(policy === undefined || isLeft ? {} : { failurePolicy: policy }) };
  });
  return { nodes: silent, edges, races, failFast, tellsAll: random.chance(0.4) };
};

const leadsTo = (edges: readonly MadeEdge[], from: string, to: string): boolean =>
  edges.some((edge) => edge.to === to && (edge.from === from || leadsTo(edges, from, edge.from)));

/** The workflow of a seed. */
export const makeFlow = (random: Random, pace: Pace): MadeFlow =>
  flowOf({ random, pace, races: random.chance(0.5), failFast: random.chance(0.25), depth: 0 }, 'n', 2 + random.below(8));

const cel = (test: Test): string => {
  switch (test.kind) {
    case 'fixed':
      return test.value ? 'run.input.yes' : 'run.input.no';
    case 'succeeded':
      return `nodes.${test.key}.status == 'succeeded'`;
    case 'not_succeeded':
      return `nodes.${test.key}.status != 'succeeded'`;
    case 'gave_false':
      return `!nodes.${test.key}.output`;
  }
};

/** What a run is given. `of`: what stands before the names of its steps, in whatever they are told. */
export const inputOf = (of: string): { readonly of: string; readonly yes: true; readonly no: false } => ({ of, yes: true, no: false });

export type Named = { readonly agentId: string; readonly approver: string; readonly revisions: ReadonlyMap<MadeFlow, string> };

const workOf = (node: MadeNode, name: string, { agentId, revisions }: Named): Record<string, unknown> => {
  const retry = node.attempts > 1 ? { retry: { maxAttempts: node.attempts, backoffSeconds: node.backoffSeconds } } : {};
  if (node.inner) {
    const input = { of: `run.input.of + ${name} + '/'`, yes: 'run.input.yes', no: 'run.input.no' };
    return { type: 'subrun', definitionRevisionId: revisions.get(node.inner), input, ...retry };
  }
  const timeout = node.type === 'map' || node.timeoutSeconds === undefined ? {} : { timeoutSeconds: node.timeoutSeconds };
  return { type: 'agent', agentId, input: { message: node.isBroken ? 'run.input.missing' : `run.input.of + ${name}` }, ...timeout, ...retry };
};

const itemsOf = ({ of, count }: Items): string => {
  const fixed = JSON.stringify(Array.from({ length: count }, (_, n) => n));
  return of === undefined ? fixed : `nodes.${of}.status == 'succeeded' ? nodes.${of}.output : ${fixed}`;
};

const nodeSpec = (node: MadeNode, named: Named): Record<string, unknown> => {
  const { key, type, attempts, timeoutSeconds } = node;
  const common = { key, ...(node.failurePolicy ? { failurePolicy: node.failurePolicy } : {}) };
  const timeout = timeoutSeconds === undefined ? {} : { timeoutSeconds };
  const retry = attempts > 1 ? { retry: { maxAttempts: attempts, backoffSeconds: node.backoffSeconds } } : {};
  switch (type) {
    case 'agent':
    case 'subrun':
      return { ...common, ...workOf(node, `'${key}'`, named) };
    case 'map':
      return {
        ...common,
        ...{ ...timeout, type, items: itemsOf(node.items ?? { count: 0 }), maxParallel: node.maxParallel },
        node: workOf(node, `'${key}.' + string(index)`, named),
      };
    case 'condition':
      return { ...common, type, condition: cel(node.gives ?? { kind: 'fixed', value: true }) };
    case 'join':
      return { ...common, ...timeout, type, join: node.join };
    case 'timer':
      return { ...common, type, timer: { durationSeconds: node.seconds } };
    case 'signal':
      return { ...common, ...timeout, ...retry, type, signalName: key };
    case 'approval':
      return { ...common, ...timeout, ...retry, type, approval: { approverRef: named.approver, prompt: key } };
  }
};

/** As it is published. */
export const specOf = (flow: MadeFlow, named: Named) => ({
  nodes: flow.nodes.map((node) => nodeSpec(node, named)),
  edges: flow.edges.map(({ from, to, on, when }) => ({ from, to, ...(on ? { on } : {}), ...(when ? { condition: cel(when) } : {}) })),
  ...(flow.tellsAll ? { output: `{${flow.nodes.map(({ key }) => `"${key}": nodes.${key}.output`).join(', ')}}` } : {}),
});

/** All that agents of it are told, and how each attempt at that ends. */
export const sayingsOf = (flow: MadeFlow, of = ''): readonly { readonly path: string; readonly ends: readonly End[]; readonly hasEffect: boolean }[] =>
  flow.nodes.flatMap((node) => {
    const parts = node.type === 'map' ? Array.from({ length: most }, (_, n) => ({ name: `${node.key}.${n}`, ends: node.ends[n] ?? [] })) : [];
    const all = node.type === 'map' ? parts : [{ name: node.key, ends: node.ends[0] ?? [] }];
    return all.flatMap(({ name, ends }) => {
      if (node.inner) return sayingsOf(node.inner, `${of}${name}/`);
      return node.type === 'agent' || node.type === 'map' ? [{ path: `${of}${name}`, ends, hasEffect: node.hasEffect === true }] : [];
    });
  });

/** The workflows in it, at any depth, each before what runs it. */
export const innersOf = (flow: MadeFlow): readonly MadeFlow[] => flow.nodes.flatMap(({ inner }) => (inner ? [...innersOf(inner), inner] : []));
/** A node of it, or of a workflow in it. */
export const nodeNamed = (flow: MadeFlow, key: string): MadeNode | undefined =>
  [flow, ...innersOf(flow)].flatMap(({ nodes }) => nodes).find((node) => node.key === key);

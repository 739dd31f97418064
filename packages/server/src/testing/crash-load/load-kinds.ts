/** What the turns of the crash loads are told to do, by kind; and the agents that are told it. */
import type { Random } from '../harness/random.ts';
import type { StubbornHttp } from '../harness/stubborn-http.ts';

const script = (...steps: readonly unknown[]): string => JSON.stringify({ steps });

const append = (random: Random) => ({ tool: { name: 'append', input: { before_ms: random.below(60), after_ms: random.below(60) } } });
const delegate = (message: string, background: boolean) => ({ tool: { name: 'delegate', input: { name: 'helper', message, background } } });
const pause = (random: Random) => ({ delay_ms: random.below(100) });

/** What a child is told: it has an effect, asks people, or only talks; and says its own number in the end, by which its result is known. */
const helped = (random: Random): string => {
  const words = { text: `helped ${random.below(1_000_000_000)}` };
  return random.pick([
    script([append(random)], [pause(random), words]),
    script([{ tool: { name: 'pay', input: { sum: 2 } } }], [words]),
    script([pause(random), words]),
  ]);
};

/** Plain turns: they stream, use tools, and wait for people. */
const alone: readonly ((random: Random) => string)[] = [
  (random) => script([{ text: 'streaming '.repeat(10), chunk: 7 }, { delay_ms: random.below(150) }, { text: 'and on', chunk: 1 }]),
  (random) => script([append(random), { tool: { name: 'time' } }], [pause(random), { text: 'done' }]),
  () => script([{ tool: { name: 'pay', input: { sum: 3 } } }, { tool: { name: 'append' } }], [{ text: 'paid' }]),
  (random) => script([{ delay_ms: random.below(60) }, { tool: { name: 'append' } }], [{ tool: { name: 'append' } }], [{ text: 'twice' }]),
  (random) => script([{ tool: { name: 'wire', input: { sum: 5 } } }], [{ delay_ms: random.below(60) }, { text: 'wired' }]),
];

/** Turns that make something: children in front and behind, files that are shown. */
const making: readonly ((random: Random) => string)[] = [
  (random) => script([delegate(helped(random), false), append(random)], [{ text: 'delegated' }]),
  (random) => script([delegate(helped(random), true), { tool: { name: 'time' } }], [pause(random), { text: 'on its way' }]),
  (random) => script([delegate(helped(random), false), delegate(helped(random), false), delegate(helped(random), true)], [{ text: 'three at once' }]),
  (random) => {
    const path = `report-${random.below(1_000_000_000)}.txt`;
    const write = { tool: { name: 'write_file', input: { path, content: `of ${path}` } } };
    return script([write], [pause(random), { tool: { name: 'publish_artifact', input: { path } } }], [{ text: 'published' }]);
  },
];

export const messageFor = (random: Random): string => random.pick([...alone, ...making] as [(typeof alone)[number]])(random);

const tool = (name: string) => ({ type: 'builtin', name, permission: 'always_allow' });
const asked = (name: string, permission: Record<string, unknown> = {}) => ({
  type: 'function',
  name,
  description: `${name}s`,
  inputSchema: { type: 'object' },
  ...permission,
});
const scripted = { system: 'test', model: 'demo:script', permissionMode: 'acceptCalls' };

/** The agent that the load speaks to, with the helper that it delegates to. */
export const makeLoadAgent = async (http: StubbornHttp): Promise<string> => {
  const make = async (agentKey: string, definition: Record<string, unknown>): Promise<string> =>
    (await http.call<{ agent: { id: string } }>('POST', '/agents', { agentKey, displayName: agentKey, definition: { ...scripted, ...definition } })).agent.id;
  const helper = await make('helper', { tools: [tool('append'), asked('pay')] });
  return make('load', {
    tools: [...['append', 'time', 'write_file', 'publish_artifact'].map(tool), asked('pay'), asked('wire', { permission: 'always_ask' })],
    subagents: [{ agentId: helper, name: 'helper', description: 'helps' }],
  });
};

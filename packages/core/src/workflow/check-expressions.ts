/** The expressions of a workflow: whether each can be read, names only what has ended by then, and gives what its place needs. */
import type { Json } from '../protocol/json.ts';
import type { MappedNode, WorkflowNode, WorkflowSpec } from '../protocol/wire/workflows.ts';
import { pointerOf } from '../protocol/wire-faults.ts';
import {
  type CheckExpression,
  type ExpressionName,
  type ExpressionType,
  type NodeReference,
  type Position,
  positionIn,
  positionText,
} from './expression-port.ts';
import { ancestors, type Graph } from './graph.ts';
import { momentOf } from './moment.ts';
import { promptParts } from './prompt-template.ts';
import type { WorkflowFault, WorkflowFaultCode } from './validate-workflow.ts';

/** `from`: where it begins in what `whole` holds; `seen`: the nodes that have ended when it is evaluated. */
type Place = {
  readonly pointer: string;
  readonly expression: string;
  readonly whole?: { readonly text: string; readonly from: number };
  readonly wants?: Wanted;
  readonly inMap?: true;
  readonly seen: ReadonlySet<string>;
  readonly of: string;
};
type Wanted = 'bool' | 'list' | 'time';

const wanted: Readonly<Record<Wanted, { readonly types: readonly ExpressionType[]; readonly words: string }>> = {
  bool: { types: ['bool'], words: 'true or false' },
  list: { types: ['list'], words: 'a list' },
  time: { types: ['number', 'string', 'time'], words: 'Unix milliseconds, or a time as RFC 3339 text' },
};
const typeWords: Readonly<Record<ExpressionType, string>> = {
  bool: 'true or false',
  number: 'a number',
  string: 'a text',
  list: 'a list',
  map: 'an object',
  null: 'null',
  time: 'a time',
  duration: 'a duration',
  other: 'something that is no JSON',
  unknown: 'anything',
};

/** What has ended when a node begins. */
export type Seen = (key: string) => ReadonlySet<string>;

export const expressionFaults = (
  spec: WorkflowSpec,
  graph: Graph,
  check: CheckExpression,
  seenAt: Seen = (key) => ancestors(graph, key),
): readonly WorkflowFault[] => {
  const faults: WorkflowFault[] = [];
  for (const [at, node] of spec.nodes.entries()) {
    const read = nodePlaces(node, `/nodes/${at}`, seenAt(node.key));
    faults.push(...read.faults, ...read.places.flatMap((place) => placeFaults(place, graph, check)));
  }
  for (const [at, { from, condition }] of spec.edges.entries()) {
    if (condition === undefined) continue;
    const seen = new Set([...seenAt(from), from]);
    const place: Place = { pointer: `/edges/${at}/condition`, expression: condition, wants: 'bool', seen, of: `the edge from "${from}"` };
    faults.push(...placeFaults(place, graph, check));
  }
  if (spec.output !== undefined)
    faults.push(...placeFaults({ pointer: '/output', expression: spec.output, seen: new Set(graph.nodes.keys()), of: 'the output' }, graph, check));
  return faults;
};

type Read = { readonly places: readonly Place[]; readonly faults: readonly WorkflowFault[] };

const nodePlaces = (node: WorkflowNode, pointer: string, seen: ReadonlySet<string>): Read => {
  const common = { seen, of: `"${node.key}"` };
  switch (node.type) {
    case 'agent':
    case 'team':
    case 'subrun':
      return { places: inputPlaces(node.input, `${pointer}/input`, common), faults: [] };
    case 'condition':
      return { places: [{ ...common, pointer: `${pointer}/condition`, expression: node.condition, wants: 'bool' }], faults: [] };
    case 'timer':
      return { places: 'at' in node.timer ? [{ ...common, pointer: `${pointer}/timer/at`, expression: node.timer.at, wants: 'time' }] : [], faults: [] };
    case 'map':
      return {
        places: [
          { ...common, pointer: `${pointer}/items`, expression: node.items, wants: 'list' },
          ...inputPlaces(node.node.input, `${pointer}/node/input`, { ...common, inMap: true }),
        ],
        faults: [],
      };
    case 'approval':
      return promptPlaces(node.approval.prompt, `${pointer}/approval/prompt`, common);
    case 'join':
    case 'signal':
      return { places: [], faults: [] };
  }
};

type Common = Pick<Place, 'seen' | 'of' | 'inMap'>;

const inputPlaces = (input: MappedNode['input'], pointer: string, common: Common): readonly Place[] =>
  Object.entries(input ?? {}).map(([name, expression]) => ({ ...common, pointer: `${pointer}${pointerOf([name])}`, expression }));

const promptPlaces = (prompt: string, pointer: string, common: Common): Read => {
  const read = promptParts(prompt);
  if (!read.ok) return { places: [], faults: [fault(pointer, 'prompt', `${read.detail} (${positionText(read.at)})`)] };
  const places = read.parts.flatMap((part) =>
    'text' in part ? [] : [{ ...common, pointer, expression: part.expression, whole: { text: prompt, from: part.offset } }],
  );
  return { places, faults: [] };
};

const fault = (pointer: string, code: WorkflowFaultCode, detail: string): WorkflowFault => ({ pointer, code, severity: 'error', detail });

const placeFaults = (place: Place, graph: Graph, check: CheckExpression): readonly WorkflowFault[] => {
  const { pointer } = place;
  const checked = check(place.expression);
  if (!checked.ok) return [fault(pointer, 'expression', checked.at ? `${checked.detail} (${where(place, checked.at)})` : checked.detail)];
  return [
    ...checked.names.flatMap(({ name, at }) => (isThere(name, place) ? [] : [fault(pointer, 'name_not_here', `${notThere(name)} (${where(place, at)})`)])),
    ...checked.nodes.flatMap((reference) => referenceFaults(reference, place, graph)),
    ...typeFaults(place, checked.type, checked.literal),
  ];
};

/** In a text that holds several, positions count from the beginning of the text. */
const where = ({ whole }: Place, at: Position): string => positionText(whole ? positionIn(whole.text, whole.from + at.offset) : at);

const isThere = (name: ExpressionName, { inMap }: Place): boolean => {
  switch (name) {
    case 'run':
    case 'nodes':
      return true;
    case 'item':
    case 'index':
      return inMap === true;
    case 'result':
      return false;
  }
};

const notThere = (name: ExpressionName): string =>
  name === 'result' ? '`result` is there in outcome checks only' : `\`${name}\` is there in the \`node\` of a map only`;

const members: readonly string[] = ['output', 'status'];

const referenceFaults = ({ key, member, at }: NodeReference, place: Place, { nodes }: Graph): readonly WorkflowFault[] => {
  const say = (code: WorkflowFaultCode, detail: string): readonly WorkflowFault[] => [fault(place.pointer, code, `${detail} (${where(place, at)})`)];
  if (key === undefined) return say('unknown_reference', '`nodes` is used with the key of a node: `nodes.<key>`');
  if (!nodes.has(key)) return say('unknown_reference', `there is no node "${key}"`);
  if (!place.seen.has(key)) return say('reference_not_before', `"${key}" does not lead to ${place.of}: nothing is known of it there`);
  if (member !== undefined && !members.includes(member)) return say('unknown_reference', `a node has \`output\` and \`status\`, no \`${member}\``);
  return [];
};

const typeFaults = ({ pointer, wants }: Place, type: ExpressionType, literal: Json | undefined): readonly WorkflowFault[] => {
  if (type === 'other') return [fault(pointer, 'type', `it gives ${typeWords.other}`)];
  if (wants === undefined || type === 'unknown') return [];
  const { types, words } = wanted[wants];
  if (!types.includes(type)) return [fault(pointer, 'type', `it must give ${words}, and gives ${typeWords[type]}`)];
  if (literal === undefined) return [];
  if (wants === 'time' && momentOf(literal) === undefined) return [fault(pointer, 'time', `${JSON.stringify(literal)} is no time`)];
  return wants === 'bool' ? [{ ...fault(pointer, 'constant_condition', `it is always ${JSON.stringify(literal)}`), severity: 'warning' }] : [];
};

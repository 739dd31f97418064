/**
 * An expression as it was read: what it names, how deep its lists are within one another, and its preparation for being evaluated.
 *
 * XP3 What an expression binds (`map`, `all`, `cel.bind` …) never hides a name that workflows give it.
 */
import { type ExpressionName, expressionNames } from '@turnkeeper/core/workflow/expression-port';
import { replaced } from './cel-environment.ts';
import { type Evaluated, metered } from './cel-work.ts';

/** As the library reads them; of what its macros make of them nothing is seen here. */
export type Node = Evaluated & { readonly op: string; args: unknown; readonly start: number; readonly pos: number };

export type Seen = {
  readonly names: Map<ExpressionName, number>;
  readonly nodes: { readonly key?: string; readonly member?: string; readonly offset: number }[];
};
export type TreeFault = { readonly detail: string; readonly offset: number };

/** Comprehensions within comprehensions. */
const deepest = 3;
const comprehensions: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const members: readonly string[] = ['input', 'id'];
/** Of a method's call: those that read a time in some time zone ask the system's tables. */
const workOf = ({ op, args }: Node): number => (op === 'rcall' && /^get[A-Z]/.test(String((args as Call)[0])) && (args as Call)[2].length > 0 ? 2_000 : 1);

type Call = [string, Node, readonly Node[]];

class Found extends Error {
  readonly fault: TreeFault;
  constructor(detail: string, offset: number) {
    super(detail);
    this.fault = { detail, offset };
  }
}

const isName = (name: unknown): name is ExpressionName => (expressionNames as readonly unknown[]).includes(name);
const isId = ({ op, args }: Node, name: ExpressionName): boolean => op === 'id' && args === name;

/** `a.b` or `a["b"]`. */
type Access = { readonly of: Node; readonly name: string };
const access = (node: Node): Access | undefined => {
  if (node.op !== '.' && node.op !== '[]') return undefined;
  const [of, name] = node.args as [Node, string | Node];
  if (typeof name === 'string') return { of, name };
  return name.op === 'value' && typeof name.args === 'string' ? { of, name: name.args } : undefined;
};

const childrenOf = ({ op, args }: Node): readonly Node[] => {
  switch (op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [(args as [Node])[0]];
    case 'call':
      return (args as [string, readonly Node[]])[1];
    case 'rcall':
      return [(args as Call)[1], ...(args as Call)[2]];
    default:
      return [args].flat(2) as readonly Node[];
  }
};

const walk = (node: Node, seen: Seen, depth: number): void => {
  if (node.op === 'call' || node.op === 'rcall') replace(node);
  metered(node, workOf(node));
  const inner = access(node);
  if (node.op === 'id' && isName(node.args)) noteName(node.args, node.start, seen);
  if (isId(node, 'nodes')) seen.nodes.push({ offset: node.start });
  else if (inner && noteNode(node, inner, seen)) return;
  else if (inner && isId(inner.of, 'run') && node.op === '.' && !members.includes(inner.name))
    throw new Found(`\`run\` has \`input\` and \`id\`, no \`${inner.name}\``, node.pos);
  else walkChildren(node, seen, depth);
};

/** `nodes.<key>` and `nodes.<key>.<member>` are taken as one. */
const noteNode = (node: Node, inner: Access, seen: Seen): boolean => {
  const outer = access(inner.of);
  const named = isId(inner.of, 'nodes') ? { key: inner.name } : outer && isId(outer.of, 'nodes') ? { key: outer.name, member: inner.name } : undefined;
  if (!named) return false;
  noteName('nodes', node.start, seen);
  seen.nodes.push({ ...named, offset: node.start });
  metered(inner.of, 1);
  return true;
};

const noteName = (name: ExpressionName, offset: number, { names }: Seen): void => {
  if (!names.has(name)) names.set(name, offset);
};

const replace = ({ args }: Node): void => {
  const call = args as [string, ...unknown[]];
  call[0] = replaced.get(call[0]) ?? call[0];
};

const walkChildren = (node: Node, seen: Seen, depth: number): void => {
  const binding = bindingOf(node);
  if (!binding) {
    for (const child of childrenOf(node)) walk(child, seen, depth);
    return;
  }
  const { variable, outside, inside, isLoop } = binding;
  const name = String(variable.args);
  if (isName(name) || name === 'cel') throw new Found(`\`${name}\` has a meaning already: another name is needed here`, variable.start);
  const within = depth + (isLoop ? 1 : 0);
  if (within > deepest) throw new Found(`lists are gone through at most ${deepest} deep within one another`, node.start);
  for (const child of outside) walk(child, seen, depth);
  for (const child of inside) walk(child, seen, within);
};

type Binding = { readonly variable: Node; readonly outside: readonly Node[]; readonly inside: readonly Node[]; readonly isLoop: boolean };

const bindingOf = ({ op, args }: Node): Binding | undefined => {
  if (op !== 'rcall') return undefined;
  const [name, receiver, [variable, ...rest]] = args as Call;
  if (variable?.op !== 'id') return undefined;
  if (comprehensions.has(name) && rest.length >= 1) return { variable, outside: [receiver], inside: rest, isLoop: true };
  if (name !== 'bind' || receiver.op !== 'id' || receiver.args !== 'cel' || rest.length !== 2) return undefined;
  return { variable, outside: rest.slice(0, 1), inside: rest.slice(1), isLoop: false };
};

/** Looks through an expression that was just read, once, and makes it ready. */
export const prepare = (root: Node): { readonly ok: true; readonly seen: Seen } | { readonly ok: false; readonly fault: TreeFault } => {
  const seen: Seen = { names: new Map(), nodes: [] };
  try {
    walk(root, seen, 0);
    return { ok: true, seen };
  } catch (error) {
    if (error instanceof Found) return { ok: false, fault: error.fault };
    throw error;
  }
};

/**
 * Expressions of workflows, in CEL.
 *
 * XP4 Nothing is thrown, whatever is checked or evaluated: what went wrong is said in words, with its place in the expression.
 * XP5 The same expression over the same values gives the same: there is no clock, no chance and nothing to call.
 *
 * Numbers of JSON that are whole are ints, others doubles, and they may be mixed. What an expression gives is JSON again. It is bounded when
 * it is checked (length, depth, nesting of comprehensions, size of literals) and while it is evaluated (XP1).
 */
import type { Json } from '@turnkeeper/core/protocol/json';
import {
  type CheckExpression,
  type CheckedExpression,
  type Evaluate,
  type ExpressionName,
  type ExpressionType,
  positionIn,
  positionText,
  type Scope,
} from '@turnkeeper/core/workflow/expression-port';
import { asWritten, newEnvironment } from './cel-environment.ts';
import { type Node, prepare, type Seen } from './cel-tree.ts';
import { type CelValue, fromCel, NoJson, toCel } from './cel-values.ts';
import { TooMuchWork, withinBounds } from './cel-work.ts';

const longestExpression = 10_000;
const mostKept = 1_000;
/** Errors repeat what they are about. */
const longestDetail = 500;

type Fault = { readonly detail: string; readonly offset?: number };
type Compiled =
  | { readonly ok: true; readonly run: (context: object) => unknown; readonly type: ExpressionType; readonly seen: Seen; readonly literal?: Json }
  | { readonly ok: false; readonly fault: Fault };

/** What the library says of its errors. */
type CelError = Error & { readonly summary?: string; readonly range?: { readonly start: number } };

const faultOf = (error: unknown): Fault => {
  if (error instanceof RangeError) return { detail: 'it is nested too deeply' };
  if (!(error instanceof Error)) return { detail: 'it fails' };
  const { summary, message, range } = error as CelError;
  const detail = asWritten((summary ?? message.split('\n', 1)[0] ?? 'it fails').slice(0, longestDetail));
  return range === undefined ? { detail } : { detail, offset: range.start };
};

const typeOf = (name: string): ExpressionType => {
  if (name === 'dyn' || name.startsWith('dyn<')) return 'unknown';
  if (name.startsWith('list')) return 'list';
  if (name.startsWith('map')) return 'map';
  return types[name] ?? 'other';
};
const types: Readonly<Record<string, ExpressionType>> = {
  bool: 'bool',
  int: 'number',
  uint: 'number',
  double: 'number',
  string: 'string',
  bytes: 'string',
  null: 'null',
  null_type: 'null',
  'google.protobuf.Timestamp': 'time',
  'google.protobuf.Duration': 'duration',
};

export type Expressions = { readonly check: CheckExpression; readonly evaluate: Evaluate };

/** Expressions that were read are kept, at most `mostKept`. */
export const createExpressions = (): Expressions => {
  const environment = newEnvironment();
  const kept = new Map<string, Compiled>();

  const compile = (expression: string): Compiled => {
    if (expression.length > longestExpression) return { ok: false, fault: { detail: `it is longer than ${longestExpression} characters` } };
    try {
      const parsed = environment.parse(expression);
      const root = parsed.ast as unknown as Node;
      const prepared = prepare(root);
      if (!prepared.ok) return prepared;
      const checked = parsed.check();
      if (!checked.valid) return { ok: false, fault: faultOf(checked.error) };
      const literal = root.op === 'value' && !(root.args instanceof Uint8Array) ? { literal: fromCel(root.args) } : {};
      return { ok: true, run: parsed as (context: object) => unknown, type: typeOf(String(checked.type)), seen: prepared.seen, ...literal };
    } catch (error) {
      return { ok: false, fault: faultOf(error) };
    }
  };

  const compiledOf = (expression: string): Compiled => {
    const found = kept.get(expression) ?? compile(expression);
    // Moved to the end: the first is the one that was not used for the longest time.
    kept.delete(expression);
    kept.set(expression, found);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return found;
  };

  return {
    check: (expression) => checkedOf(expression, compiledOf(expression)),
    evaluate: (expression, scope) => {
      const compiled = compiledOf(expression);
      if (!compiled.ok) return { ok: false, detail: faultText(expression, compiled.fault) };
      const missing = [...compiled.seen.names.keys()].find((name) => scope[name] === undefined);
      if (missing !== undefined) return { ok: false, detail: `\`${missing}\` is not there` };
      try {
        const context = contextOf(compiled.seen, scope);
        return { ok: true, value: withinBounds(() => fromCel(compiled.run(context))) };
      } catch (error) {
        const fault = error instanceof NoJson || error instanceof TooMuchWork ? { detail: error.message } : faultOf(error);
        return { ok: false, detail: faultText(expression, fault) };
      }
    },
  };
};

const checkedOf = (expression: string, compiled: Compiled): CheckedExpression => {
  if (!compiled.ok) {
    const { detail, offset } = compiled.fault;
    return { ok: false, detail, ...(offset === undefined ? {} : { at: positionIn(expression, offset) }) };
  }
  const { type, seen, literal } = compiled;
  return {
    ok: true,
    type,
    names: [...seen.names].map(([name, offset]) => ({ name, at: positionIn(expression, offset) })),
    nodes: seen.nodes.map(({ offset, ...named }) => ({ ...named, at: positionIn(expression, offset) })),
    ...(literal === undefined ? {} : { literal }),
  };
};

const faultText = (expression: string, { detail, offset }: Fault): string =>
  offset === undefined ? detail : `${detail} (${positionText(positionIn(expression, offset))})`;

/** What an expression uses of what there is; of `nodes` those that it names. */
const contextOf = ({ names, nodes }: Seen, scope: Scope): Readonly<Record<string, CelValue>> =>
  Object.fromEntries([...names.keys()].map((name) => [name, name === 'nodes' ? namedNodes(nodes, scope.nodes) : inContext(name, scope)]));

const inContext = (name: ExpressionName, scope: Scope): CelValue => toCel(scope[name] ?? null);

const namedNodes = (named: Seen['nodes'], nodes: Json | undefined): CelValue => {
  const all = (typeof nodes === 'object' && nodes !== null ? nodes : {}) as { readonly [key: string]: Json };
  if (named.some(({ key }) => key === undefined)) return toCel(all);
  return new Map(named.flatMap(({ key = '' }) => (Object.hasOwn(all, key) ? [[key, toCel(all[key] ?? null)] as const] : [])));
};

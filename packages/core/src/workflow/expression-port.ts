/**
 * What the graph of a workflow needs of a language of expressions: it is checked when a workflow is published, and evaluated while
 * one runs. Both are values through and through: neither throws.
 */
import type { Json } from '../protocol/json.ts';

/** The names that expressions may use. `item` and `index` are there within a `map`, `result` where an outcome is checked. */
export const expressionNames = ['run', 'nodes', 'item', 'index', 'result'] as const;
export type ExpressionName = (typeof expressionNames)[number];
export type Scope = Readonly<Partial<Record<ExpressionName, Json>>>;

/** Where in an expression: `offset` counts from 0 in UTF-16 units, `line` and `column` from 1. */
export type Position = { readonly offset: number; readonly line: number; readonly column: number };

/** What an expression gives, as far as that is known before it is evaluated. */
export type ExpressionType = 'bool' | 'number' | 'string' | 'list' | 'map' | 'null' | 'time' | 'duration' | 'other' | 'unknown';

/** `nodes` used in an expression: without `key`, other than as `nodes.<key>`; `member`: what of it is read. */
export type NodeReference = { readonly key?: string; readonly member?: string; readonly at: Position };

export type CheckedExpression =
  | {
      readonly ok: true;
      readonly type: ExpressionType;
      /** The names it uses, each where it is used first. */
      readonly names: readonly { readonly name: ExpressionName; readonly at: Position }[];
      readonly nodes: readonly NodeReference[];
      /** What it gives, where it is nothing but a literal. */
      readonly literal?: Json;
    }
  | { readonly ok: false; readonly detail: string; readonly at?: Position };
export type CheckExpression = (expression: string) => CheckedExpression;

/** `detail` says where, as far as that is known. */
export type Evaluated = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly detail: string };
export type Evaluate = (expression: string, scope: Scope) => Evaluated;

/** The position of an offset in a text. */
export const positionIn = (text: string, offset: number): Position => {
  const before = text.slice(0, offset);
  return { offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
};

export const positionText = ({ line, column }: Position): string => `line ${line}, column ${column}`;

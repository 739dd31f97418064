/** A workflow's spec in a file: either the file is the spec, or it has it as `draftSpec`, beside a `name`. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { type JudgedDraft, judgeDraft } from '@turnkeeper/core/workflow/draft-faults';
import { createExpressions } from '@turnkeeper/server/expressions/cel';
import { type FilePosition, nameOfFile, type SpecFile } from './spec-file.ts';

export type FileFault = { readonly pointer: string; readonly code: string; readonly severity: 'error' | 'warning'; readonly detail: string };
export type PlacedFault = FileFault & FilePosition;
export type WorkflowFile = { readonly file: SpecFile; readonly name: string; readonly spec: JsonObject; readonly prefix: '' | '/draftSpec' };

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

export const workflowIn = (file: SpecFile): WorkflowFile => {
  const { name, draftSpec } = file.value;
  const named = typeof name === 'string' && name !== '' ? name : nameOfFile(file.path);
  if (isObject(draftSpec)) return { file, name: named, spec: draftSpec, prefix: '/draftSpec' };
  // A spec has no name of its own: where the file says one, it is the workflow's.
  const { name: _, ...spec } = file.value;
  return { file, name: named, spec: typeof name === 'string' ? spec : file.value, prefix: '' };
};

/** All that can be told without a server: the shape, the graph, the expressions. */
export const offlineFaults = (spec: JsonObject): readonly FileFault[] => judgeFile(spec).faults;

/** What of it can be judged by whoever knows an installation, too. */
export const judgeFile = (spec: JsonObject): JudgedDraft => judgeDraft(spec, createExpressions().check);

/** In the order of the file. */
export const placed = ({ file, prefix }: WorkflowFile, faults: readonly FileFault[]): readonly PlacedFault[] =>
  faults.map((fault) => ({ ...fault, ...file.positionOf(`${prefix}${fault.pointer}`) })).toSorted((a, b) => a.line - b.line || a.column - b.column);

/** How the nodes of a workflow begin, and which of them nobody waits for any more. */
import type { Json, JsonObject } from '../protocol/json.ts';
import { type MappedNode, maxMapItems, type WorkflowNode } from '../protocol/wire/workflows.ts';
import type { Scope } from './expression-port.ts';
import { endOf, evaluateIn, move, type Progress, refOf, scopeIn } from './flow-progress.ts';
import { momentOf } from './moment.ts';
import { asText, filledPrompt } from './prompt-template.ts';

/** More than this, as JSON, is neither given to a step nor collected from several. */
export const mostCharacters = 1_000_000;
/** Part by part first: many that are large each make a text that is longer than any may be. */
export const isTooLarge = (value: Json): boolean => {
  let sum = 0;
  for (const part of typeof value === 'object' && value !== null ? (Object.values(value) as readonly Json[]) : []) {
    sum += asText(part).length;
    if (sum > mostCharacters) return true;
  }
  return asText(value).length > mostCharacters;
};

type Given = { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly detail: string };

/** What an agent, a team or another workflow is given: each expression of its `input` by its name. */
export const inputOf = (progress: Progress, input: MappedNode['input'], more?: Scope): Given => {
  const given: [string, Json][] = [];
  for (const [name, expression] of Object.entries(input ?? {})) {
    const evaluated = evaluateIn(progress, expression, more);
    if (!evaluated.ok) return { ok: false, detail: `Its input "${name}" failed: ${evaluated.detail}` };
    given.push([name, evaluated.value]);
  }
  const whole = Object.fromEntries(given);
  return isTooLarge(whole) ? { ok: false, detail: `Its input is longer than ${mostCharacters} characters as JSON.` } : { ok: true, input: whole };
};

export const failExpression = (progress: Progress, key: string, errorMessage: string): undefined =>
  move(progress, { do: 'end', ...refOf(progress, key), status: 'failed', errorCode: 'expression_failed', errorMessage });

/** Begins a node whose turn has come, or its next attempt. Joins are decided, not begun. */
export const startNode = (progress: Progress, node: WorkflowNode): undefined => {
  switch (node.type) {
    case 'agent':
    case 'team':
    case 'subrun': {
      const given = inputOf(progress, node.input);
      if (given.ok) return move(progress, { do: 'begin', ...refOf(progress, node.key), input: given.input });
      return failExpression(progress, node.key, given.detail);
    }
    case 'condition':
      return startCondition(progress, node);
    case 'approval':
      return startApproval(progress, node);
    case 'signal': {
      const inquiry = { kind: 'signal', signalName: node.signalName } as const;
      return move(progress, { do: 'ask', ...refOf(progress, node.key), inquiry, approver: 'owner', ...expiry(progress, node) });
    }
    case 'timer':
      return startTimer(progress, node);
    case 'map':
      return startMap(progress, node);
    case 'join':
      return;
  }
};

type Of<T extends WorkflowNode['type']> = Extract<WorkflowNode, { type: T }>;

const expiry = ({ input: { now } }: Progress, { timeoutSeconds }: WorkflowNode): { readonly expiresAt?: number } =>
  timeoutSeconds === undefined ? {} : { expiresAt: now + timeoutSeconds * 1_000 };

const startCondition = (progress: Progress, { key, condition }: Of<'condition'>): undefined => {
  const evaluated = evaluateIn(progress, condition);
  if (!evaluated.ok) return failExpression(progress, key, `Its condition failed: ${evaluated.detail}`);
  if (typeof evaluated.value !== 'boolean') return failExpression(progress, key, 'Its condition gave neither true nor false.');
  move(progress, { do: 'end', ...refOf(progress, key), status: 'succeeded', output: evaluated.value });
};

const startApproval = (progress: Progress, node: Of<'approval'>): undefined => {
  const { key, approval } = node;
  const filled = filledPrompt(approval.prompt, (expression) => evaluateIn(progress, expression), scopeIn(progress));
  if (!filled.ok) return failExpression(progress, key, `Its prompt failed: ${filled.detail}`);
  const inquiry = { kind: 'approval', prompt: asText(filled.value) } as const;
  move(progress, { do: 'ask', ...refOf(progress, key), inquiry, approver: approval.approverRef, ...expiry(progress, node) });
};

const startTimer = (progress: Progress, { key, timer }: Of<'timer'>): undefined => {
  const ref = refOf(progress, key);
  if (!('at' in timer)) return move(progress, { do: 'sleep', ...ref, until: Math.ceil(progress.input.now + timer.durationSeconds * 1_000) });
  const evaluated = evaluateIn(progress, timer.at);
  if (!evaluated.ok) return failExpression(progress, key, `Its time failed: ${evaluated.detail}`);
  const until = momentOf(evaluated.value);
  if (until === undefined) return failExpression(progress, key, `${asText(evaluated.value).slice(0, 100)} is no time: Unix ms or RFC 3339 text.`);
  move(progress, { do: 'sleep', ...ref, until });
};

/** Of what waits for nobody outside: when it is over. */
export const timeOut = ({ input: { now } }: Progress, timeoutSeconds: number | undefined): { readonly until?: number } =>
  timeoutSeconds === undefined ? {} : { until: now + timeoutSeconds * 1_000 };

const startMap = (progress: Progress, { key, items, maxParallel, timeoutSeconds }: Of<'map'>): undefined => {
  const evaluated = evaluateIn(progress, items);
  if (!evaluated.ok) return failExpression(progress, key, `Its items failed: ${evaluated.detail}`);
  const { value } = evaluated;
  if (!Array.isArray(value)) return failExpression(progress, key, 'Its items are no list.');
  if (value.length > maxMapItems) return failExpression(progress, key, `It has ${value.length} items; at most ${maxMapItems} are taken.`);
  move(progress, { do: 'begin_map', ...refOf(progress, key), total: value.length, parallel: maxParallel, ...timeOut(progress, timeoutSeconds) });
};

/** GP5: nodes that lead somewhere, and of which nothing can come any more: all that follows has ended or is waited for by nobody itself. */
export const unneeded = (progress: Progress, order: readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const key of order.toReversed()) {
    const out = progress.graph.nodes.get(key)?.out ?? [];
    if (out.length > 0 && out.every(({ to }) => endOf(progress, to) !== undefined || found.has(to))) found.add(key);
  }
  return found;
};

/** Whether a step was cancelled because what it leads to was decided without it: a race, or a join whose time was over. */
export const lostRace = (progress: Progress, key: string): boolean => {
  const out = progress.graph.nodes.get(key)?.out ?? [];
  return out.length > 0 && out.every((edge) => isDecidedWithout(progress, edge.to) || (endOf(progress, edge.to) === 'skipped' && lostRace(progress, edge.to)));
};

const isDecidedWithout = (progress: Progress, key: string): boolean =>
  progress.graph.nodes.get(key)?.node.type === 'join' && endOf(progress, key) !== undefined && endOf(progress, key) !== 'skipped';

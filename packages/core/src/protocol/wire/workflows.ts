/**
 * Workflows on the wire: the spec of a graph.
 *
 * Strict in shape only: what is wrong with it as a graph is told by core/workflow. A draft need not even have the shape
 * (workflow-requests.ts).
 */
import { z } from 'zod';
import { approverRef, toolName } from './agents.ts';
import { limits } from './limits.ts';

/** A key is a name in expressions: `nodes.<key>`. */
export const nodeKey = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, { error: 'a letter or _, then letters, digits and _, at most 64' })
  // It names a member of the result, which nobody could keep.
  .refine((key) => key !== '__proto__', { error: 'must not be __proto__' });
export const expression = z.string().min(1).max(10_000).describe('A CEL expression over `run` and `nodes`.');
const id = z.string().min(1).max(200);
/** By name, an expression each: of an agent `message` is what it is told, the rest comes with it as data. */
const nodeInput = z.record(z.string().min(1).max(200), expression);

export const failurePolicies = ['fail_fast', 'continue', 'partial_success'] as const;
const common = {
  key: nodeKey,
  name: z.string().max(200).optional(),
  timeoutSeconds: z.int().min(1).max(limits.expirySeconds).optional(),
  /** `maxAttempts` counts the first one, too. */
  retry: z.strictObject({ maxAttempts: z.int().min(1).max(20), backoffSeconds: z.number().min(0).max(86_400).default(0) }).optional(),
  failurePolicy: z.enum(failurePolicies).optional(),
};

const agentNode = z.strictObject({ ...common, type: z.literal('agent'), agentId: id, input: nodeInput.optional() });
const teamNode = z.strictObject({ ...common, type: z.literal('team'), teamId: id, input: nodeInput.optional() });
const subrunNode = z.strictObject({ ...common, type: z.literal('subrun'), definitionRevisionId: id, input: nodeInput.optional() });
const conditionNode = z.strictObject({ ...common, type: z.literal('condition'), condition: expression });
const joinNode = z.strictObject({
  ...common,
  type: z.literal('join'),
  join: z.strictObject({ mode: z.enum(['all', 'any', 'quorum']), count: z.int().min(1).max(1_000).optional() }),
});
export const approvalPrompt = z.string().min(1).max(4_000);
const approvalNode = z.strictObject({
  ...common,
  type: z.literal('approval'),
  /** `prompt` is text; `{{ expression }}` in it is filled in. */
  approval: z.strictObject({ approverRef, prompt: approvalPrompt }),
});
const timerNode = z.strictObject({
  ...common,
  type: z.literal('timer'),
  /** `at`: an expression that gives Unix ms, or a time as RFC 3339 text. */
  timer: z.union([z.strictObject({ durationSeconds: z.number().min(0).max(limits.expirySeconds) }), z.strictObject({ at: expression })], {
    error: 'either `durationSeconds` or `at`',
  }),
});
const signalNode = z.strictObject({ ...common, type: z.literal('signal'), signalName: toolName });

/** What a `map` runs for each element: `item` and `index` are there in its expressions. */
const mapped = z.discriminatedUnion('type', [
  agentNode.omit({ key: true, failurePolicy: true }),
  teamNode.omit({ key: true, failurePolicy: true }),
  subrunNode.omit({ key: true, failurePolicy: true }),
]);
const mapNode = z.strictObject({ ...common, type: z.literal('map'), items: expression, maxParallel: z.int().min(1).max(64).default(8), node: mapped });

export const workflowNode = z.discriminatedUnion('type', [
  agentNode,
  teamNode,
  subrunNode,
  conditionNode,
  joinNode,
  approvalNode,
  timerNode,
  signalNode,
  mapNode,
]);

export const edgeOutcomes = ['succeeded', 'failed', 'timed_out', 'rejected'] as const;
export const workflowEdge = z.strictObject({
  from: nodeKey,
  to: nodeKey,
  on: z.array(z.enum(edgeOutcomes)).min(1).max(4).optional(),
  condition: expression.optional(),
});

/** How many nodes a workflow has at most: the state of its turns is bounded by it. */
export const maxNodes = 200;
export const maxEdges = 1_000;
/** How many elements a `map` takes at most. */
export const maxMapItems = 1_000;

export const workflowSpec = z.strictObject({
  nodes: z.array(workflowNode).max(maxNodes),
  edges: z.array(workflowEdge).max(maxEdges).default([]),
  /** What a run comes to; without it, the outputs of the last nodes by key. */
  output: expression.optional(),
});

export type WorkflowSpec = z.infer<typeof workflowSpec>;
export type WorkflowNode = z.infer<typeof workflowNode>;
export type WorkflowEdge = z.infer<typeof workflowEdge>;
export type MappedNode = z.infer<typeof mapped>;
export type NodeType = WorkflowNode['type'];
export type FailurePolicy = (typeof failurePolicies)[number];

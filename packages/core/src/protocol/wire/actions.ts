/** Required actions, answers and command receipts on the wire. */
import { z } from 'zod';
import { limits } from './limits.ts';

/** One answer. `payload` depends on the action's kind; its members may also stand beside `request_id`, as older clients send them. */
export const answerBody = z.looseObject({
  request_id: z.string().min(1),
  expected_version: z.int().min(1).max(limits.version).optional(),
  decision: z.enum(['approved', 'rejected']).optional(),
  payload: z.record(z.string(), z.json()).optional(),
});
export const answersRequest = z.union([z.object({ answers: z.array(answerBody).min(1).max(limits.answersPerRequest) }), answerBody]);

export const commandResource = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(['accepted', 'completed', 'failed']),
  turn_id: z.string(),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  error_code: z.string().nullable(),
});
export const commandReceipt = z.object({ command: commandResource, status_url: z.string() });
export const commandAnswer = z.object({ command: commandResource });

export const requiredActionResource = z.object({
  request_id: z.string(),
  kind: z.string(),
  status: z.string(),
  turn_id: z.string(),
  child_session_id: z.string().optional(),
  tool_call: z.object({ id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) }).optional(),
  prompt: z.string().optional(),
  answer_schema: z.record(z.string(), z.json()),
  expires_at: z.int().optional(),
  version: z.int(),
  approver: z.union([z.string(), z.array(z.string())]),
  created_at: z.int(),
});
export const requiredActions = z.object({ required_actions: z.record(z.string(), requiredActionResource), commands: z.array(commandResource) });

export type AnswerBody = z.infer<typeof answerBody>;
export type AnswersRequest = z.infer<typeof answersRequest>;
export type CommandResource = z.infer<typeof commandResource>;
export type CommandReceipt = z.infer<typeof commandReceipt>;
export type RequiredActions = z.infer<typeof requiredActions>;

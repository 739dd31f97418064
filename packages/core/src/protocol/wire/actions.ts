/** Required actions, answers and command receipts on the wire. */
import { z } from 'zod';
import { limits } from './limits.ts';

/**
 * One answer. `payload` depends on the action's kind; its members may also stand beside `request_id`, as older clients send
 * them. `decision` is what an approval wants; of a confirmation it is another word for `allow`.
 */
export const answerBody = z.looseObject({
  request_id: z.string().min(1),
  expected_version: z.int().min(1).max(limits.version).optional(),
  decision: z.enum(['approved', 'rejected']).optional(),
  /** An object, but for a signal, which takes any JSON. */
  payload: z.json().optional(),
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
/** Of answers: where they were open in several sessions, the receipt of each, the deepest first; the one above them is the last of these. */
export const answersReceipt = commandReceipt.extend({
  parts: z.array(commandReceipt.extend({ session_id: z.string() })).optional(),
});

const actionOption = z.object({ label: z.string(), description: z.string() });
export const questionResource = z.object({ question: z.string(), header: z.string(), multi_select: z.boolean(), options: z.array(actionOption) });

export const requiredActionResource = z.object({
  request_id: z.string(),
  /** Where it is read across sessions: whose action it is. */
  session_id: z.string().optional(),
  session_title: z.string().optional(),
  kind: z.string(),
  status: z.string(),
  turn_id: z.string(),
  child_session_id: z.string().optional(),
  tool_call: z.object({ id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) }).optional(),
  /** Of a `question`: the first of `questions`, and its options. */
  prompt: z.string().optional(),
  options: z.array(actionOption).optional(),
  /** Answered together, by their headers. Options are offers: other words are an answer too. */
  questions: z.array(questionResource).optional(),
  /** Of a `form`: what it is for, and the flat JSON Schema of its fields. */
  form: z
    .object({
      title: z.string(),
      description: z.string().optional(),
      schema: z.record(z.string(), z.json()),
      submit_label: z.string().optional(),
      cancel_label: z.string().optional(),
      /** Of a mini-tool's form: its fields as the mini-tool described them. */
      fields: z.array(z.record(z.string(), z.json())).optional(),
    })
    .optional(),
  /** Its call runs and asks this meanwhile: the answer goes to it, is not its result, and is not kept. */
  while_running: z.boolean().optional(),
  /** Of such a form: what is filled in is sealed with it before it is stored. */
  answer_key: z.string().optional(),
  /** What is to be known of the tool before its call is allowed. */
  tool_note: z
    .object({
      title: z.string().optional(),
      /** The id of the mini-tool that it is of, and its name. */
      minitool: z.string().optional(),
      minitool_name: z.string().optional(),
      dangerous: z.boolean().optional(),
      destructive: z.boolean().optional(),
    })
    .optional(),
  /** Of a `signal`. */
  signal_name: z.string().optional(),
  /** Of a `confirmation`: whether `remember: "session"` is taken. */
  can_remember: z.boolean().optional(),
  answer_schema: z.record(z.string(), z.json()),
  expires_at: z.int().optional(),
  version: z.int(),
  /** `owner`, `application`, `role:<name>`, or users. */
  approver: z.union([z.string(), z.array(z.string())]),
  /** Of `role:<name>`: whose role it is, `app:<id>`, `space:<id>` or the `installation`. */
  role_of: z.string().optional(),
  created_at: z.int(),
});
export const requiredActions = z.object({ required_actions: z.record(z.string(), requiredActionResource), commands: z.array(commandResource) });
/** Of all sessions: what the caller may answer, oldest first. No receipts: these are read by session. */
export const requiredActionsPage = requiredActions.extend({ next_cursor: z.string().nullable(), has_more: z.boolean() });
export const requiredActionsQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .transform((value) => Math.min(value, limits.pageSize)),
  /** A page cursor: `next_cursor` of the page before. */
  after: z.string().optional(),
});

/** Who answered what, as the audit log says it; never with what words. */
export const answeredAction = z.object({
  id: z.string(),
  at: z.int(),
  session_id: z.string(),
  session_title: z.string(),
  turn_id: z.string().nullable(),
  request_id: z.string().nullable(),
  kind: z.string(),
  tool: z.string().nullable(),
  /** What was decided: `allowed`, `denied`, `answered`, `approved`, `rejected`, `submitted`, `declined`, `succeeded`, `failed`. */
  outcome: z.string(),
  /** The tool was allowed for the rest of the session. */
  remember: z.boolean(),
  /** `user:<id>`, `app:<id>`, `minitool:<id>`, or `client:` before one of these; and what they were called then. */
  answered_by: z.string(),
  answered_by_name: z.string(),
  /** From where, and with which token or key: for who answered, who controls the session, and admins; else null. */
  address: z.string().nullable(),
  credential_id: z.string().nullable(),
});
/** The newest first. */
export const answeredActionsPage = z.object({ data: z.array(answeredAction), next_cursor: z.string().nullable(), has_more: z.boolean() });

export type AnsweredAction = z.infer<typeof answeredAction>;
export type AnsweredActionsPage = z.infer<typeof answeredActionsPage>;
export type AnswerBody = z.infer<typeof answerBody>;
export type AnswersRequest = z.infer<typeof answersRequest>;
export type CommandResource = z.infer<typeof commandResource>;
export type CommandReceipt = z.infer<typeof commandReceipt>;
export type AnswersReceipt = z.infer<typeof answersReceipt>;
export type RequiredActionResource = z.infer<typeof requiredActionResource>;
export type RequiredActionsPage = z.infer<typeof requiredActionsPage>;
export type RequiredActions = z.infer<typeof requiredActions>;

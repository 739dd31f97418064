/**
 * What mini-tools show people outside of turns, on the wire: toasts and dialogs.
 *
 * All texts are a stranger's: whoever shows them shows them as text, and says whose they are.
 */
import { z } from 'zod';

const text = z.string();
const buttonVariant = z.enum(['primary', 'secondary', 'danger']);

const toast = z.object({
  kind: z.literal('toast'),
  title: text,
  description: text.nullable(),
  variant: z.enum(['default', 'info', 'success', 'warning', 'error']),
  /** What its button says; null = it has none. */
  actionLabel: text.nullable(),
  /** How long it is to be seen. */
  durationMs: z.int(),
});
const confirm = z.object({
  kind: z.literal('confirm'),
  title: text,
  description: text.nullable(),
  message: text.nullable(),
  /** null: as whoever shows it says that. */
  confirmLabel: text.nullable(),
  cancelLabel: text.nullable(),
  variant: z.enum(['primary', 'danger']),
});
const modal = z.object({
  kind: z.literal('modal'),
  title: text,
  description: text.nullable(),
  message: text.nullable(),
  /** At least one. `label`: null as above. One that is `secondary` asks for no values. */
  actions: z.array(z.object({ id: text, label: text.nullable(), variant: buttonVariant })),
  /** What is filled in, as of a form; null = nothing. `multiline`: names of texts that have several lines. */
  form: z.object({ schema: z.record(z.string(), z.json()), multiline: z.array(text) }).nullable(),
});

export const showContent = z.discriminatedUnion('kind', [toast, confirm, modal]);

export const minitoolShow = z.object({
  id: z.string(),
  minitool: z.object({ id: z.string(), name: z.string() }),
  at: z.int(),
  /** From when this was said: how long it can be answered. */
  leftMs: z.int(),
  content: showContent,
});

/** `expired`: its time was over. `withdrawn`: the mini-tool does not want it any more, or has ended. */
export const showEnd = z.enum(['answered', 'expired', 'withdrawn']);

/** One frame of the stream: first all that is shown now, then what comes and goes. All again where somebody may see more or less than before. */
export const showNews = z.discriminatedUnion('type', [
  z.object({ type: z.literal('now'), shows: z.array(minitoolShow) }),
  z.object({ type: z.literal('shown'), show: minitoolShow }),
  z.object({ type: z.literal('closed'), id: z.string(), reason: showEnd }),
]);

/** Of a toast and a modal dialog `action`, of a confirmation `confirmed`; `values` of a dialog with a form. */
export const answerShowRequest = z.strictObject({
  action: z.string().max(200).optional(),
  confirmed: z.boolean().optional(),
  values: z.record(z.string().max(200), z.json()).optional(),
});

export type ShowContent = z.infer<typeof showContent>;
export type MinitoolShow = z.infer<typeof minitoolShow>;
export type ShowEnd = z.infer<typeof showEnd>;
export type ShowNews = z.infer<typeof showNews>;
export type AnswerShowRequest = z.infer<typeof answerShowRequest>;

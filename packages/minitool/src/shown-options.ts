/**
 * What toasts and dialogs may be made of: by the server, and by the kit, alike.
 *
 * UW1 A text that is too long is cut and not refused, since what is said in it comes from anywhere; a shape that is wrong is refused.
 */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';
import { pointerOf } from '@turnkeeper/core/protocol/wire-faults';
import { z } from 'zod';
import { invalidArgument } from './failure.ts';

const defaultToastMs = 5_000;
const shortestToastMs = 1_000;
export const longestToastMs = 60_000;
const mostActions = 5;

const cut = (most: number) => z.string().transform((text) => firstCodePoints(text, most).toWellFormed());
const title = cut(300).refine((text) => text.trim() !== '', { error: 'a text that is not empty' });
const description = cut(2_000).optional();
const message = cut(4_000).optional();
const label = cut(80).optional();

const toast = z.object({
  title,
  description,
  // What a variant is called that we do not know is no reason to show nothing.
  variant: z.enum(['default', 'success', 'info', 'warning', 'error']).catch('default').default('default'),
  action: z.object({ label: cut(80) }).optional(),
  durationMs: z
    .number()
    .default(defaultToastMs)
    .transform((ms) => Math.round(Math.min(longestToastMs, Math.max(shortestToastMs, ms)))),
});
const confirm = z.object({
  title,
  description,
  message,
  confirmLabel: label,
  cancelLabel: label,
  variant: z.enum(['primary', 'danger']).catch('primary').default('primary'),
});
const action = z.object({ id: z.string().min(1).max(200), label: cut(80), variant: z.enum(['primary', 'secondary', 'danger']).optional() });
const haveOwnIds = (actions: readonly { readonly id: string }[]): boolean => new Set(actions.map(({ id }) => id)).size === actions.length;
const modal = z.object({
  title,
  description,
  message,
  actions: z.array(action).max(mostActions).refine(haveOwnIds, { error: 'ids must differ' }).default([]),
  /** Each is looked at by whoever makes a form of them. */
  fields: z.array(z.looseObject({ key: z.string(), label: z.string(), type: z.string() })).default([]),
});

const schemas = { toast, confirm, modal };
export type ShownKind = keyof typeof schemas;
export type ShownOptions<Kind extends ShownKind> = z.infer<(typeof schemas)[Kind]>;

/** Members that are not shown, whatever stands in them: most often they are meant for another kind. */
export const leftOut = (kind: ShownKind, options: unknown): readonly string[] =>
  typeof options === 'object' && options !== null ? Object.keys(options).filter((name) => !(name in schemas[kind].shape)) : [];

/** Throws `invalid_argument` with every fault by its place. */
export const shownOptions = <Kind extends ShownKind>(kind: Kind, options: unknown): ShownOptions<Kind> => {
  const parsed = schemas[kind].safeParse(options);
  if (parsed.success) return parsed.data as ShownOptions<Kind>;
  const faults = parsed.error.issues.slice(0, 10).map(({ path, message: wanted }) => `${pointerOf(path) || 'the options'}: ${wanted}`);
  throw invalidArgument(`This cannot be shown as ${kind}: ${faults.join('; ')}`);
};

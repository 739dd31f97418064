/**
 * What a mini-tool asks to show, as people are shown it.
 *
 * SZ1 What is larger than so many bytes, with all that it holds, is refused: what is shown now is kept in memory.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ShowContent } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { MinitoolError } from '@turnkeeper/minitool/failure';
import type { FormValues, HostRequests } from '@turnkeeper/minitool/protocol';
import { longestToastMs, type ShownOptions, shownOptions } from '@turnkeeper/minitool/shown-options';
import { formOf, valuesOf } from '../forms/form-spec.ts';
import { MinitoolFailure } from '../host-api.ts';

const mostBytes = 64 * 1024;
/** A toast that somebody looks at stays a little: its button works for so long. */
const lookingMs = 10_000;
const dialogMs = 10 * 60_000;

export type Prepared = {
  readonly content: ShowContent;
  readonly lifeMs: number;
  /** What people filled in, as the mini-tool is given it. */
  readonly valuesOf: (values: JsonObject) => FormValues;
};
type Request = HostRequests['ui.show'][0];

const plain = (values: JsonObject): FormValues => values as FormValues;

const toast = ({ title, description, variant, action, durationMs }: ShownOptions<'toast'>): Prepared => ({
  content: { kind: 'toast', title, description: description ?? null, variant, actionLabel: action?.label ?? null, durationMs },
  lifeMs: action ? Math.min(longestToastMs, durationMs + lookingMs) : durationMs,
  valuesOf: plain,
});

const confirm = ({ title, description, message, confirmLabel, cancelLabel, variant }: ShownOptions<'confirm'>): Prepared => ({
  content: {
    kind: 'confirm',
    title,
    description: description ?? null,
    message: message ?? null,
    confirmLabel: confirmLabel ?? null,
    cancelLabel: cancelLabel ?? null,
    variant,
  },
  lifeMs: dialogMs,
  valuesOf: plain,
});

type Actions = Extract<ShowContent, { kind: 'modal' }>['actions'];

/** One of them takes what was filled in: the first, where none says so. */
const actionsOf = ({ actions }: ShownOptions<'modal'>): Actions => {
  if (actions.length === 0) return [{ id: 'ok', label: null, variant: 'primary' }];
  const isSaid = actions.some(({ variant }) => variant === 'primary' || variant === 'danger');
  return actions.map(({ id, label, variant }, at) => ({ id, label, variant: variant ?? (!isSaid && at === 0 ? 'primary' : 'secondary') }));
};

const modal = (options: ShownOptions<'modal'>): Prepared => {
  const { title, description, message, fields } = options;
  const form = fields.length === 0 ? undefined : formOf({ title: 'dialog', fields });
  const multiline = form?.fields.flatMap(({ key, type }) => (type === 'textarea' ? [key] : [])) ?? [];
  return {
    content: {
      kind: 'modal',
      title,
      description: description ?? null,
      message: message ?? null,
      actions: actionsOf(options),
      form: form ? { schema: form.form.schema as Record<string, never>, multiline } : null,
    },
    lifeMs: dialogMs,
    valuesOf: (values) => valuesOf(form?.fields ?? [], values),
  };
};

const prepared = ({ kind, options }: Request): Prepared => {
  switch (kind) {
    case 'toast':
      return toast(shownOptions(kind, options));
    case 'confirm':
      return confirm(shownOptions(kind, options));
    case 'modal':
      return modal(shownOptions(kind, options));
  }
};

/** Throws `invalid_argument`. */
export const prepareShow = (request: Request): Prepared => {
  try {
    const show = prepared(request);
    if (Buffer.byteLength(JSON.stringify(show.content)) > mostBytes)
      throw new MinitoolFailure('invalid_argument', `What is shown has at most ${mostBytes} bytes.`);
    return show;
  } catch (error) {
    throw error instanceof MinitoolError ? new MinitoolFailure('invalid_argument', error.message) : error;
  }
};

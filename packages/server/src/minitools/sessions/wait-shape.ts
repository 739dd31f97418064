/** Required actions as `ctx.sessions` tells of them: waits of three kinds; what only a person or a program answers is none. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Form } from '@turnkeeper/core/session/events';
import type { ActionBody } from '@turnkeeper/core/view/action';

type Base = { readonly sessionId: string; readonly turnId: string; readonly requestId: string; readonly createdAt: string; readonly expiresAt?: string };
export type Wait = Base &
  (
    | {
        readonly kind: 'permission';
        readonly toolName: string;
        readonly toolInput: JsonObject;
        readonly toolTitle?: string;
        /** Only where the tool is a mini-tool's: of others nothing is kept with the action that tells them apart. */
        readonly toolSource?: { readonly type: 'minitool'; readonly id: string };
        readonly dangerous?: true;
        readonly destructive?: true;
      }
    | { readonly kind: 'question'; readonly questions: readonly JsonObject[] }
    | { readonly kind: 'form'; readonly extensionId?: string; readonly form: JsonObject }
  );
export type WaitKind = Wait['kind'];
export type Resolver = 'user' | 'minitool' | 'timeout' | 'system';

const kinds: Readonly<Partial<Record<ActionBody['kind'], WaitKind>>> = { confirmation: 'permission', question: 'question', form: 'form' };

/** Undefined of what is no wait for a mini-tool. */
export const waitKindOf = (kind: ActionBody['kind']): WaitKind | undefined => kinds[kind];

const iso = (at: number): string => new Date(at).toISOString();

const fieldTypes: Readonly<Record<string, string>> = { number: 'number', integer: 'number', boolean: 'boolean', array: 'multiselect' };

const optionsOf = (schema: JsonObject): readonly JsonObject[] | undefined => {
  const items = schema['items'];
  const values = schema['enum'] ?? (typeof items === 'object' && items !== null && !Array.isArray(items) ? (items as JsonObject)['enum'] : undefined);
  return Array.isArray(values) ? values.map((value) => ({ value: String(value), label: String(value) })) : undefined;
};

/** Of a form that no mini-tool described: by its schema. */
const fieldsOf = ({ schema }: Form): readonly JsonObject[] => {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = Object.entries((schema['properties'] ?? {}) as JsonObject);
  return properties.map(([key, value]): JsonObject => {
    const field = (value ?? {}) as JsonObject;
    const options = optionsOf(field);
    const type = options && field['type'] !== 'array' ? 'select' : (fieldTypes[String(field['type'])] ?? 'text');
    const described: JsonObject = typeof field['description'] === 'string' ? { description: field['description'] } : {};
    const label = typeof field['title'] === 'string' ? field['title'] : key;
    return { key, label, type, ...described, ...(required.includes(key) ? { required: true } : {}), ...(options ? { options } : {}) };
  });
};

const formOf = (form: Form): JsonObject => ({
  title: form.title,
  ...(form.description === undefined ? {} : { description: form.description }),
  ...(form.submit_label === undefined ? {} : { submitLabel: form.submit_label }),
  ...(form.cancel_label === undefined ? {} : { cancelLabel: form.cancel_label }),
  fields: form.fields ?? fieldsOf(form),
});

export const waitOf = (sessionId: string, action: ActionBody): Wait | undefined => {
  const { turn_id: turnId, request_id: requestId, created_at, expires_at, tool_note: note } = action;
  const base = { sessionId, turnId, requestId, createdAt: iso(created_at), ...(expires_at === undefined ? {} : { expiresAt: iso(expires_at) }) };
  switch (waitKindOf(action.kind)) {
    case 'permission':
      return {
        ...base,
        kind: 'permission',
        toolName: action.tool_call?.name ?? '',
        toolInput: action.tool_call?.input ?? {},
        ...(note?.title === undefined ? {} : { toolTitle: note.title }),
        ...(note?.minitool === undefined ? {} : { toolSource: { type: 'minitool' as const, id: note.minitool } }),
        ...(note?.dangerous || action.can_remember === false ? { dangerous: true as const } : {}),
        ...(note?.destructive ? { destructive: true as const } : {}),
      };
    case 'question': {
      const questions = (action.questions ?? []).map(({ question, header, multi_select, options }) => ({
        ...{ question, header, multiSelect: multi_select },
        options: options.map(({ label, description }) => ({ label, description })),
      }));
      return { ...base, kind: 'question', questions };
    }
    case 'form':
      return action.form && { ...base, kind: 'form', ...(note?.minitool === undefined ? {} : { extensionId: note.minitool }), form: formOf(action.form) };
    case undefined:
      return undefined;
  }
};

/** Who ended a wait, by what is stored of its action. */
export const resolverOf = (resolution: string, resolvedBy: string | undefined): Resolver => {
  if (resolution === 'expired') return 'timeout';
  if (resolvedBy === undefined || resolution === 'cancelled') return 'system';
  return resolvedBy.startsWith('minitool:') ? 'minitool' : 'user';
};

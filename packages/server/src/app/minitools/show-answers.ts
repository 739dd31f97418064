/**
 * Whether an answer fits what a mini-tool shows.
 *
 * SZ6 An answer is one of the buttons that are shown, and values that the form takes. What does not fit is refused to whoever gave it,
 *     by its place, and what is shown stays.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { AnswerShowRequest, ShowContent } from '@turnkeeper/core/protocol/wire/minitool-shows';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { App } from '../app.ts';

type Tools = Pick<App['tools'], 'inputFaults'>;
type Modal = Extract<ShowContent, { kind: 'modal' }>;

const only = (body: AnswerShowRequest, wanted: readonly (keyof AnswerShowRequest)[]): readonly Fault[] =>
  (Object.keys(body) as (keyof AnswerShowRequest)[]).flatMap((name) => (wanted.includes(name) ? [] : [{ pointer: `/${name}`, detail: 'nothing asks for it' }]));

const oneOf = (action: string | undefined, actions: readonly string[]): readonly Fault[] =>
  action !== undefined && actions.includes(action) ? [] : [{ pointer: '/action', detail: `one of: ${actions.join(', ')}` }];

/** What decides about a value. The rest is for reading, and would have each answer looked at in the thread for strangers' schemas. */
const decisive = new Set(['type', 'enum', 'items', 'minLength', 'maxLength', 'minItems']);

const decisiveOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] =>
      decisive.has(keyword) ? [[keyword, keyword === 'items' ? decisiveOf(value as JsonObject) : (value as Json)]] : [],
    ),
  );

const formSchema = ({ properties, required }: JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties as JsonObject).map(([name, field]) => [name, decisiveOf(field as JsonObject)])),
  required: required as Json,
  additionalProperties: false,
});

const repeated = (values: JsonObject): readonly Fault[] =>
  Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value) && new Set(value).size < value.length ? [{ pointer: `/${name}`, detail: 'nothing twice' }] : [],
  );

const modalFaults = async (tools: Tools, { action, values }: AnswerShowRequest, { actions, form }: Modal): Promise<readonly Fault[]> => {
  const chosen = actions.find(({ id }) => id === action);
  const faults = oneOf(action, ['dismissed', ...actions.map(({ id }) => id)]);
  if (values === undefined) {
    const isWanted = form !== null && chosen !== undefined && chosen.variant !== 'secondary';
    return isWanted ? [...faults, { pointer: '/values', detail: 'what was filled in is wanted' }] : faults;
  }
  if (form === null || !chosen) return [...faults, { pointer: '/values', detail: 'nothing asks for it' }];
  const given = values as JsonObject;
  const unfit = [...(await tools.inputFaults(formSchema(form.schema as JsonObject), given)), ...repeated(given)];
  return [...faults, ...unfit.map(({ pointer, detail }) => ({ pointer: `/values${pointer}`, detail }))];
};

export const answerFaults = async (tools: Tools, content: ShowContent, body: AnswerShowRequest): Promise<readonly Fault[]> => {
  switch (content.kind) {
    case 'toast':
      return [...only(body, ['action']), ...oneOf(body.action, content.actionLabel === null ? ['dismissed'] : ['dismissed', 'action'])];
    case 'confirm':
      return [...only(body, ['confirmed']), ...(body.confirmed === undefined ? [{ pointer: '/confirmed', detail: 'true or false is wanted' }] : [])];
    case 'modal':
      return [...only(body, ['action', 'values']), ...(await modalFaults(tools, body, content))];
  }
};

/**
 * What a session lets in: the schemas with which it was made, and what is submitted to it, held to them.
 *
 * JS1 A schema that cannot be used, and an input that does not fit, is refused with its places before anything runs: no turn
 *     begins that could not have been asked for.
 * JS2 The schemas are the session's own: an agent that is changed later changes nothing of them.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { type Refusal, refuse, TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import { areMessages, type CreateSessionRequest, type TurnInput } from '@turnkeeper/core/protocol/wire/sessions';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { App } from './app.ts';
import type { FrozenConfig, FrozenSchemas, FrozenTarget } from './frozen-config.ts';

const refusal = (what: string, faults: readonly Fault[]): Refusal => {
  const summary = faults.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`);
  return refuse('validation_failed', `${what}: ${summary.join('; ')}`, { errors: faults });
};

/** The schemas of a new session. Throws `validation_failed` for those that do not compile. */
export const frozenSchemas = async (app: App, { inputSchema, outputSchema, resultMapping }: CreateSessionRequest): Promise<FrozenSchemas | undefined> => {
  if (!inputSchema && !outputSchema && !resultMapping) return undefined;
  const faults: Fault[] = [];
  for (const [member, schema] of Object.entries({ inputSchema, outputSchema })) {
    const unfit = schema ? await app.tools.schemaFaults(schema as JsonObject) : [];
    faults.push(...unfit.map((detail) => ({ pointer: `/${member}`, detail })));
  }
  if (faults.length > 0) {
    const { code, detail, details } = refusal('A schema of the session cannot be used', faults);
    throw new TurnkeeperError(code, detail, details);
  }
  return {
    ...(inputSchema ? { input: inputSchema as JsonObject } : {}),
    ...(outputSchema ? { output: outputSchema as JsonObject } : {}),
    ...(resultMapping ? { resultMapping } : {}),
  };
};

type Given = { readonly value: Json; readonly pointer: string } | { readonly fault: Fault };

/** Of messages, what they hold as data: one value, wherever it stands among them. */
const dataIn = (messages: readonly UserMessage[], place: string): Given => {
  const found = messages.flatMap(({ content }, message) =>
    content.flatMap((block, index) =>
      block.type === 'data' ? [{ value: block.data as Json, pointer: `${place}/input/${message}/content/${index}/data` }] : [],
    ),
  );
  const [first, ...more] = found;
  return first && more.length === 0 ? first : { fault: { pointer: `${place}/input`, detail: 'one block of type data: the input that the session asks for' } };
};

/** The value that the session's schema is about; `message: x` is `{message: x}`. */
const givenBy = ({ message, input }: TurnInput, place: string, target: FrozenTarget['type']): Given => {
  if (message !== undefined) return { value: { message }, pointer: place };
  return areMessages(input) && target !== 'workflow' ? dataIn(input, place) : { value: (input ?? null) as Json, pointer: `${place}/input` };
};

/**
 * Why a turn of the session cannot be given this, or undefined. `place` is where the request holds it. Teams and workflows take any
 * JSON, agents messages, unless a schema says what.
 */
export const schemaRefusal = async (
  app: App,
  { schemas, target: { type } }: Pick<FrozenConfig, 'schemas' | 'target'>,
  body: TurnInput,
  place = '',
): Promise<Refusal | undefined> => {
  if (!schemas?.input) {
    if (type !== 'agent' || body.input === undefined || areMessages(body.input)) return undefined;
    return refusal('The input cannot be used', [{ pointer: `${place}/input`, detail: '1 to 100 user messages' }]);
  }
  const given = givenBy(body, place, type);
  if ('fault' in given) return refusal('The input does not fit the session', [given.fault]);
  const unfit = await app.tools.inputFaults(schemas.input, given.value);
  if (unfit.length === 0) return undefined;
  const faults = unfit.map(({ pointer, detail }) => ({ pointer: `${given.pointer}${pointer}`, detail }));
  return refusal('The input does not fit the schema of the session', faults);
};

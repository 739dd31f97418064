/** What an answer to a required action says, as it came in: read by the kind of its action, every fault told by its place. */
import { codePoints, type OutputBlock, outputBlock } from '@turnkeeper/core/protocol/content';
import { fitOutput } from '@turnkeeper/core/protocol/fit-output';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import { nearestName } from '@turnkeeper/core/protocol/nearest-name';
import { inOrder, questionFaults } from '@turnkeeper/core/protocol/question-answers';
import type { AnswerBody } from '@turnkeeper/core/protocol/wire/actions';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { type Fault, mostFaults, pointerOf, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { Answer, AnswerPayload } from '@turnkeeper/core/session/commands';
import type { ActionBody } from '@turnkeeper/core/view/action';

/** What an answer says of its action, or what is wrong with it. */
export type Read<What> = { readonly ok: true; readonly value: What } | { readonly ok: false; readonly faults: readonly Fault[] };

/** `at` is the pointer to the answer within the request. */
export const readAnswer = (body: AnswerBody, action: ActionBody, at: string): Read<Answer> => {
  const { members, place } = membersOf(body);
  const unread = unreadable(body, action);
  if (unread) return { ok: false, faults: [{ pointer: `${at}${unread.pointer}`, detail: unread.detail }] };
  const read = payloadOf(action, members, body);
  const faults = read.ok ? [] : [...misspelt(action, members), ...read.faults];
  if (!read.ok) return { ok: false, faults: faults.map(({ pointer, detail }) => ({ pointer: `${at}${place}${pointer}`, detail })) };
  const version = body.expected_version === undefined ? {} : { expectedVersion: body.expected_version };
  return { ok: true, value: { requestId: body.request_id, ...version, payload: read.value } };
};

const knownMembers: Readonly<Record<ActionBody['kind'], readonly string[]>> = {
  external_execution: ['output', 'is_error'],
  confirmation: ['allow', 'input', 'reason', 'remember'],
  question: ['answers'],
  reconciliation: ['outcome', 'reason', 'output'],
  form: ['submitted', 'values'],
  approval: ['reason'],
  signal: [],
};

/** Of an answer that is refused anyway: what was meant by members that nobody knows. */
const misspelt = ({ kind }: ActionBody, members: JsonObject): readonly Fault[] => {
  const left = knownMembers[kind].filter((name) => !Object.hasOwn(members, name));
  const unknown = Object.keys(members).filter((name) => !knownMembers[kind].includes(name));
  return unknown.slice(0, mostFaults).flatMap((name) => {
    const meant = nearestName(name, left);
    return meant === undefined ? [] : [{ pointer: pointerOf([name]), detail: `unknown member; did you mean ${meant}?` }];
  });
};

/** Where the payload's members stand within the answer. */
export const placeOf = (body: AnswerBody): string => membersOf(body).place;

/** The payload's members, and where they stand: older clients put them beside `request_id`. */
const membersOf = (body: AnswerBody): { readonly members: JsonObject; readonly place: string } => {
  const { request_id: _id, expected_version: _version, decision: _decision, payload, ...beside } = body;
  if (payload === undefined && Object.keys(beside).length > 0) return { members: beside as JsonObject, place: '' };
  return { members: isObject(payload) ? payload : {}, place: '/payload' };
};

/** What is wrong with an answer before its members are looked at. */
const unreadable = ({ payload, decision }: AnswerBody, { kind }: ActionBody): Fault | undefined => {
  if (kind === 'approval' && decision === undefined) return { pointer: '/decision', detail: '"approved" or "rejected"' };
  if (kind === 'signal' || payload === undefined || isObject(payload)) return undefined;
  return { pointer: '/payload', detail: `an object: the answer to an action of kind ${kind}` };
};

const payloadOf = (action: ActionBody, members: JsonObject, { decision, payload }: AnswerBody): Read<AnswerPayload> => {
  const { kind } = action;
  switch (kind) {
    case 'external_execution':
      if (members['output'] === undefined) return wrong('/output', 'the result of the call: a text, content blocks or any JSON');
      return good({ kind, output: outputOf(members['output']), isError: members['is_error'] === true });
    case 'confirmation':
      return confirmationOf(action, members, decision);
    case 'question': {
      const faults = questionFaults(action.questions ?? [], members['answers']);
      return faults.length > 0 ? { ok: false, faults } : good({ kind, answers: inOrder(action.questions ?? [], members['answers'] as JsonObject) });
    }
    case 'reconciliation':
      return reconciliationOf(members);
    case 'form':
      return formOf(members);
    case 'approval': {
      const { reason } = members;
      const faults = isGiven(reason) ? reasonFaults(reason) : [];
      if (faults.length > 0) return { ok: false, faults };
      return good({ kind, approved: decision === 'approved', ...(typeof reason === 'string' ? { reason } : {}) });
    }
    case 'signal':
      // Forgotten, it would wake the agent with nothing.
      if (payload === undefined && Object.keys(members).length === 0) return wrong('', 'any JSON: what the signal says; null when it says nothing');
      return signalOf(payload === undefined ? members : payload);
  }
};

const good = (value: AnswerPayload): Read<AnswerPayload> => ({ ok: true, value });
const wrong = (pointer: string, detail: string): Read<AnswerPayload> => ({ ok: false, faults: [{ pointer, detail }] });
const fault = (isWrong: boolean, pointer: string, detail: string): readonly Fault[] => (isWrong ? [{ pointer, detail }] : []);

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Left out, or `null` as some clients write it. */
const isGiven = (value: Json | undefined): value is Exclude<Json, null> => value !== undefined && value !== null;

const tooLong = (value: Json, pointer: string): readonly Fault[] =>
  fault(JSON.stringify(value).length > limits.toolOutputCharacters, pointer, `at most ${limits.toolOutputCharacters} characters of JSON`);

/** Whether the values fit the form is for its schema to say (form-values.ts). */
const formOf = ({ submitted, values }: JsonObject): Read<AnswerPayload> => {
  const faults = [
    ...fault(typeof submitted !== 'boolean', '/submitted', 'true or false'),
    ...fault(isGiven(values) && !isObject(values), '/values', 'an object: the values by the names of the fields'),
    ...(isObject(values) ? tooLong(values, '/values') : []),
  ];
  if (faults.length > 0) return { ok: false, faults };
  return good({ kind: 'form', submitted: submitted === true, ...(submitted === true && isObject(values) ? { values } : {}) });
};

const signalOf = (payload: Json): Read<AnswerPayload> => {
  const faults = tooLong(payload, '');
  return faults.length > 0 ? { ok: false, faults } : good({ kind: 'signal', payload });
};

const confirmationOf = (action: ActionBody, members: JsonObject, decision: AnswerBody['decision']): Read<AnswerPayload> => {
  const { reason, input, remember } = members;
  const decided = decision === undefined ? undefined : decision === 'approved';
  const allow = members['allow'] ?? decided;
  const faults = [
    ...fault(typeof allow !== 'boolean', '/allow', 'true or false'),
    ...fault(typeof allow === 'boolean' && decided !== undefined && allow !== decided, '/allow', 'the decision beside it says otherwise'),
    ...(isGiven(reason) ? reasonFaults(reason) : []),
    ...(isGiven(input) ? inputFaults(input) : []),
    ...(isGiven(remember) ? rememberFaults(remember, allow, action) : []),
  ];
  if (faults.length > 0) return { ok: false, faults };
  return good({
    kind: 'confirmation',
    allow: allow === true,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(isObject(input) ? { input } : {}),
    ...(remember === 'session' ? { remember } : {}),
  });
};

const reasonFaults = (reason: Json): readonly Fault[] => [
  ...fault(typeof reason !== 'string', '/reason', 'a text'),
  ...fault(typeof reason === 'string' && codePoints(reason) > limits.reasonCharacters, '/reason', `at most ${limits.reasonCharacters} characters`),
];

/** Edited arguments are held to what a model's are held to: a tool never sees others (core F2). */
const inputFaults = (input: Json): readonly Fault[] => {
  if (!isObject(input)) return fault(true, '/input', 'an object: the arguments of the call');
  const unfit = wireFaults(input).map(({ pointer, detail }) => ({ pointer: `/input${pointer}`, detail }));
  if (unfit.length > 0) return unfit;
  return fault(JSON.stringify(input).length > limits.toolInputCharacters, '/input', `at most ${limits.toolInputCharacters} characters of JSON`);
};

const rememberFaults = (remember: Json, allow: Json | undefined, { can_remember }: ActionBody): readonly Fault[] => {
  if (remember !== 'session') return fault(true, '/remember', '"session", or nothing');
  if (allow === false) return fault(true, '/remember', 'only what is allowed can be remembered');
  return fault(can_remember !== true, '/remember', 'this action says can_remember: false: the tool asks every time, or the session remembers too many');
};

const reconciliationOf = ({ outcome, reason, output }: JsonObject): Read<AnswerPayload> => {
  const faults = [
    ...fault(outcome !== 'succeeded' && outcome !== 'failed', '/outcome', '"succeeded" or "failed"'),
    ...fault(typeof reason !== 'string' || reason.trim() === '', '/reason', 'how the real result was found out'),
    ...(typeof reason === 'string' ? reasonFaults(reason) : []),
  ];
  if (faults.length > 0 || typeof reason !== 'string') return { ok: false, faults };
  return good({ kind: 'reconciliation', outcome: outcome === 'succeeded' ? outcome : 'failed', reason, output: outputOf(output ?? `${outcome}: ${reason}`) });
};

/** What the application gives back, as content blocks, held to the size that events may have. */
const outputOf = (value: unknown): readonly OutputBlock[] => {
  const blocks = Array.isArray(value) ? outputBlock.array().safeParse(value) : undefined;
  if (blocks?.success) return fitOutput(blocks.data);
  return fitOutput([{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }]);
};

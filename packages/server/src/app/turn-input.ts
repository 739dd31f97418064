/**
 * What a submission says, as the turn will start with it.
 *
 * TI1 Every target keeps its input as messages: an agent's and a team's are what a model can read; a workflow's is one message with one
 *     block of data, whatever was given, and `message: x` is `{message: x}` there.
 */
import { codePoints, firstCodePoints, type UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Json } from '@turnkeeper/core/protocol/json';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { areMessages, type TurnInput } from '@turnkeeper/core/protocol/wire/sessions';
import type { FrozenTarget } from './frozen-config.ts';

export type AcceptedInput = { readonly messages: readonly UserMessage[]; readonly preview: string };

type UserJson = Extract<UserMessage['content'][number], { type: 'data' }>['data'];

const previewCharacters = 200;

type TargetType = FrozenTarget['type'];

const asData = (value: unknown): readonly UserMessage[] => [{ role: 'user', content: [{ type: 'data', data: value as UserJson }] }];

/** A value that is no list of messages (session-schemas.ts) is given to the model as data. */
const messagesOf = ({ message, input = [] }: TurnInput, target: TargetType): readonly UserMessage[] => {
  if (target === 'workflow') return asData(message === undefined ? input : { message });
  if (message !== undefined) return [{ role: 'user', content: [{ type: 'text', text: message }] }];
  return areMessages(input) ? input : asData(input);
};

/** What was submitted, as one value: `run.input` of a workflow (TI1). Of a text `{message}`, of other messages the messages themselves. */
export const turnInputOf = (messages: readonly UserMessage[]): Json => {
  const [only, ...more] = messages.flatMap(({ content }) => content);
  if (only?.type === 'data' && more.length === 0) return only.data as Json;
  if (only?.type === 'text' && more.length === 0) return { message: only.text };
  return messages as unknown as Json;
};

/** The messages of a submission and the beginning of their text. Throws `payload_too_large` beyond the limits of text and of size. */
export const acceptedInput = (input: TurnInput, target: TargetType = 'agent'): AcceptedInput => {
  const messages = messagesOf(input, target);
  const isData = input.input !== undefined && (target === 'workflow' || !areMessages(input.input));
  const text = isData ? JSON.stringify(input.input) : (input.message ?? messages.map((message) => textOf(message.content)).join('\n'));
  const length = codePoints(text);
  if (length > limits.textCharacters) {
    throw new TurnkeeperError('payload_too_large', `The text has ${length} characters; the limit is ${limits.textCharacters}.`, {
      limit: limits.textCharacters,
    });
  }
  const bytes = Buffer.byteLength(JSON.stringify(messages));
  if (bytes > limits.submissionBytes) {
    throw new TurnkeeperError('payload_too_large', `The content has ${bytes} bytes of JSON; the limit is ${limits.submissionBytes}.`, {
      limit: limits.submissionBytes,
    });
  }
  return { messages, preview: firstCodePoints(text.replace(/\s+/g, ' ').trim(), previewCharacters) };
};

/** What a person reads of a structured value: what it says as a message, else whose input it is, and its own texts. */
const wordsOf = (value: Json, targetName: string): string => {
  const isObject = typeof value === 'object' && value !== null;
  const members: readonly Json[] = isObject ? Object.values(value) : [value];
  const texts = members.filter((member) => typeof member === 'string' && member.trim() !== '');
  const isMessage = !isObject || (members.length === 1 && 'message' in value);
  return isMessage && texts.length > 0 ? texts.join() : [targetName, ...texts].join(' · ');
};

const structureIn = (text: string): Json | undefined => {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/**
 * A session's title is the first words of its first message: no model is called for it. Of a structured value, or a text that is
 * one, it is its message, or the target's name and the texts in it: nobody knows a session by its braces, or by a date alone.
 */
export const titleFrom = ({ messages, preview }: AcceptedInput, targetName: string): string => {
  const [only, ...more] = messages.flatMap(({ content }) => content);
  const value = more.length > 0 ? undefined : only?.type === 'data' ? (only.data as Json) : only?.type === 'text' ? structureIn(only.text) : undefined;
  const words = value === undefined ? preview : wordsOf(value, targetName);
  const text = words.replace(/\s+/g, ' ').trim();
  const first = firstCodePoints(text, 60);
  return first.length < text.length ? `${first}…` : first;
};

/**
 * What `ask`, `steer` and `inject` say: a text or `--input`, and `--file`. Read and looked at before anything is made, so that a slip
 * leaves nothing behind; files are sent when there is a session to hold them, and their blocks stand behind what is said.
 */
import type { InputBlock, UserMessage } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { areMessages, type SaidInput } from '@turnkeeper/core/protocol/wire/sessions';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../exit-codes.ts';
import { type LocalFile, localFile, sendFile, sizeText, uploadedText } from '../local-file.ts';
import { jsonIn } from './json-option.ts';

export type SayingOptions = {
  /** JSON, or `@file`: in place of a text. */
  readonly input?: string;
  /** Of this machine; each becomes a block of the message. */
  readonly file?: readonly string[];
};

export type Said = { readonly message: string } | { readonly input: Json | readonly UserMessage[] };
export type Saying = { readonly said: Said; readonly files: readonly LocalFile[] };

const saidIn = async ({ io }: CommandContext, text: (() => Promise<string>) | string | undefined, input: string | undefined): Promise<Said> => {
  if (input !== undefined) {
    if (typeof text === 'string') throw new UsageError('Give a text or --input, not both.');
    return { input: await jsonIn(io, input) };
  }
  if (text === undefined) throw new UsageError('What is to be said? Give a text, or --input.');
  return { message: typeof text === 'string' ? text : await text() };
};

/** `text`: what was given as an argument, or how to come by it where `--input` does not say it. Throws UsageError. */
export const sayingIn = async (context: CommandContext, text: (() => Promise<string>) | string | undefined, options: SayingOptions): Promise<Saying> => {
  const { input, file = [] } = options;
  if (file.length > limits.attachments) throw new UsageError(`A message has at most ${limits.attachments} files.`);
  const files = file.map((path) => localFile(context.io, path));
  const size = files.reduce((sum, each) => sum + each.size, 0);
  if (size > limits.attachedFileBytes)
    throw new UsageError(`The files of a message have at most ${sizeText(limits.attachedFileBytes)}; these have ${sizeText(size)}.`);
  const said = await saidIn(context, text, input);
  if (files.length > 0 && 'input' in said && !areMessages(said.input))
    throw new UsageError('--file goes with a text, or with an --input that is a list of messages: other JSON has no place for it.');
  return { said, files };
};

/** For what is heard by the turn under way: that is said in messages. */
export const messagesIn = (saying: Saying): Saying => {
  if ('input' in saying.said && !areMessages(saying.said.input))
    throw new UsageError('--input is a list of messages here: [{"role": "user", "content": [{"type": "text", "text": "…"}]}]');
  return saying;
};

const messagesOf = (said: Said): readonly UserMessage[] => {
  if ('message' in said) return [{ role: 'user', content: [{ type: 'text', text: said.message }] }];
  return areMessages(said.input) ? said.input : [];
};

/**
 * Sends the files, and gives what to submit. The keys of the uploads are made of the submission's: the same call again names the same
 * files, so it says the same and is answered by the same turn.
 */
export const sentWith = async (context: CommandContext, sessionId: string, { said, files }: Saying, idempotencyKey: string): Promise<Said> => {
  if (files.length === 0) return said;
  const blocks: InputBlock[] = [];
  for (const [at, file] of files.entries()) {
    const made = await sendFile(context, sessionId, file, `${idempotencyKey} file ${at + 1}`);
    context.note(uploadedText(made));
    blocks.push({ type: 'file', file_id: made.id });
  }
  const messages = messagesOf(said);
  return { input: messages.map((message, at) => (at === messages.length - 1 ? { ...message, content: [...message.content, ...blocks] } : message)) };
};

/** The same for a steer or an inject. */
export const saidWith = async (context: CommandContext, sessionId: string, saying: Saying, idempotencyKey: string): Promise<SaidInput> =>
  (await sentWith(context, sessionId, messagesIn(saying), idempotencyKey)) as SaidInput;

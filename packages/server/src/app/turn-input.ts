/** What a submission says, as the turn will start with it. */
import { codePoints, firstCodePoints, textOf, type UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { TurnInput } from '@turnkeeper/core/protocol/wire/sessions';

export type AcceptedInput = { readonly messages: readonly UserMessage[]; readonly preview: string };

const previewCharacters = 200;

/** The messages of a submission and the beginning of their text. Throws `payload_too_large` beyond the limits of text and of size. */
export const acceptedInput = (input: TurnInput): AcceptedInput => {
  const messages: readonly UserMessage[] =
    input.message !== undefined ? [{ role: 'user', content: [{ type: 'text', text: input.message }] }] : (input.input ?? []);
  const text = messages.map((message) => textOf(message.content)).join('\n');
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

/** A session's title is the first words of its first message: no model is called for it. */
export const titleFrom = (preview: string): string => {
  const first = firstCodePoints(preview, 60);
  return first.length < preview.length ? `${first}…` : first;
};

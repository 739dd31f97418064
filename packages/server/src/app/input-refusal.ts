/**
 * Whether what a user says can be shown to the model of the session: asked before it is accepted, for all ways of saying it.
 *
 * UI1 What the model's provider does not take, and a file that the session does not have, is refused with its place in the
 *     request. It never comes into the context, where it would fail every later call of the session.
 * UI2 The attachments of one submission are bounded together, whether they were uploaded or come with the request, and those of
 *    one message in number, before any of them is looked up.
 */
import type { InputBlock, UserMessage } from '@turnkeeper/core/protocol/content';
import { type Refusal, refuse } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { App } from './app.ts';
import type { Session } from './lane.ts';

/** `sessionId` is undefined for one that does not exist yet: it has no files. */
export type InputTarget = {
  readonly sessionId: string | undefined;
  readonly model: string;
  /** Where the request holds what is said, as a JSON pointer; at its top unless given. */
  readonly place?: string;
};

export const targetOf = ({ row, config }: Session): InputTarget => ({ sessionId: row.id, model: config.target.definition.model });

type Placed = { readonly block: InputBlock; readonly pointer: string };

const isAttachment = ({ type }: InputBlock): boolean => type !== 'text' && type !== 'data';
const countAttachments = (content: UserMessage['content']): number => content.filter(isAttachment).length;

const attachmentsIn = (messages: readonly UserMessage[], place: string): readonly Placed[] =>
  messages.flatMap(({ content }, message) =>
    content.flatMap((block, index): readonly Placed[] => (isAttachment(block) ? [{ block, pointer: `${place}/input/${message}/content/${index}` }] : [])),
  );

/**
 * Looks at the media and files of a submission. `validation_failed` with every fault, `payload_too_large` for what they have together or for
 * too many of them in a message, or undefined.
 */
export const inputRefusal = async (app: App, { sessionId, model, place = '' }: InputTarget, messages: readonly UserMessage[]): Promise<Refusal | undefined> => {
  const crowded = messages.findIndex(({ content }) => countAttachments(content) > limits.attachments);
  if (crowded >= 0) {
    const detail = `A message may have ${limits.attachments} attachments; ${place}/input/${crowded} has ${countAttachments(messages[crowded]?.content ?? [])}.`;
    return refuse('payload_too_large', detail, { limit: limits.attachments, pointer: `${place}/input/${crowded}/content` });
  }
  const faults: Fault[] = [];
  let bytes = 0;
  for (const { block, pointer } of attachmentsIn(messages, place)) {
    const file = block.type === 'file' && sessionId !== undefined ? await app.files.fileOf(sessionId, block.file_id) : undefined;
    if (block.type === 'file' && !file) {
      faults.push({ pointer: `${pointer}/file_id`, detail: `this session has no file ${block.file_id}` });
      continue;
    }
    bytes += file?.size ?? inlineBytes(block);
    const detail = app.models.inputFault(model, file ? { mediaType: file.mediaType, isUrl: false } : mediumOf(block));
    if (detail !== undefined) faults.push({ pointer, detail });
  }
  if (faults.length > 0) return refuse('validation_failed', faults.map(({ detail }) => detail).join('; '), { errors: faults });
  if (bytes <= limits.attachedFileBytes) return undefined;
  return refuse('payload_too_large', `The attachments have ${bytes} bytes; the limit is ${limits.attachedFileBytes}.`, { limit: limits.attachedFileBytes });
};

/** What comes along with the request itself, as it is once decoded. */
const inlineBytes = (block: InputBlock): number => {
  switch (block.type) {
    case 'image':
    case 'audio':
    case 'video': {
      const { source } = block;
      if (source.type === 'base64') return Buffer.byteLength(source.data, 'base64');
      return source.url.startsWith('data:') ? Buffer.byteLength(source.url.slice(source.url.indexOf(',') + 1), 'base64') : 0;
    }
    case 'text':
    case 'data':
    case 'file':
      return 0;
  }
};

/** Where nobody said the whole type, the kind is all that is known. */
const mediumOf = (block: InputBlock) => {
  switch (block.type) {
    case 'image':
    case 'audio':
    case 'video': {
      const isUrl = block.source.type === 'url' && !block.source.url.startsWith('data:');
      return { mediaType: block.source.media_type ?? block.type, isUrl };
    }
    case 'text':
    case 'data':
    case 'file':
      return { mediaType: 'text/plain', isUrl: false };
  }
};

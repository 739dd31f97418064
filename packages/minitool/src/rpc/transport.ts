/**
 * JSON-RPC messages over a channel, none of them larger than `maxMessageBytes`.
 *
 * RJ1 A request always gets an answer: one that cannot be sent (too large, no JSON) is answered with that failure in its place.
 */
import { Emitter, ErrorCodes, Message, type MessageReader, type MessageWriter, type ResponseMessage } from 'vscode-jsonrpc/node';
import { maxMessageBytes, type WireFailure } from '../protocol.ts';
import type { Channel } from './channel.ts';

const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message));

/** Why a message cannot go; undefined where it can. */
const obstacle = (message: Message): WireFailure | undefined => {
  try {
    const bytes = bytesOf(message);
    return bytes > maxMessageBytes
      ? {
          code: 'payload_too_large',
          message: `A message holds ${maxMessageBytes} bytes at most; this one would have ${bytes}`,
          details: { limit: maxMessageBytes },
        }
      : undefined;
  } catch (error) {
    return { code: 'invalid_argument', message: `It cannot be written as JSON: ${error instanceof Error ? error.message : 'unknown'}` };
  }
};

const inPlaceOf = ({ jsonrpc, id }: ResponseMessage, failure: WireFailure): ResponseMessage => ({
  jsonrpc,
  id,
  error: { code: ErrorCodes.InternalError, message: failure.message, data: failure },
});

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';

export const createReader = (channel: Channel): MessageReader => {
  const errors = new Emitter<Error>();
  const ends = new Emitter<void>();
  const parts = new Emitter<never>();
  channel.onEnd(() => ends.fire());
  return {
    onError: errors.event,
    onClose: ends.event,
    onPartialMessage: parts.event,
    listen: (callback) => {
      let isListening = true;
      // Libraries talk over the channel, too: what is no message of ours is not ours.
      channel.onMessage((message) => {
        if (isListening && isMessage(message)) callback(message);
      });
      return {
        dispose: () => {
          isListening = false;
        },
      };
    },
    dispose: () => {
      for (const emitter of [errors, ends, parts]) emitter.dispose();
    },
  };
};

const post = (channel: Channel, message: Message): Promise<void> =>
  new Promise((resolve, reject) => {
    channel.send(message, (error) => (error ? reject(error) : resolve()));
  });

export const createWriter = (channel: Channel): MessageWriter => {
  const errors = new Emitter<[Error, Message | undefined, number | undefined]>();
  const ends = new Emitter<void>();
  channel.onEnd(() => ends.fire());
  return {
    onError: errors.event,
    onClose: ends.event,
    write: async (message) => {
      const failure = obstacle(message);
      if (!failure) await post(channel, message);
      else if (Message.isResponse(message)) await post(channel, inPlaceOf(message, failure));
      else throw new Error(failure.message);
    },
    end: () => {},
    dispose: () => {
      errors.dispose();
      ends.dispose();
    },
  };
};

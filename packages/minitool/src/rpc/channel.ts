/** A channel of messages between two processes, or between two ends in one: in order, each message once. */
import type { ChildProcess } from 'node:child_process';

export interface Channel {
  /** Calls back when the message was handed on, or why it could not be. */
  send(message: object, sent: (error?: Error | null) => void): void;
  onMessage(listener: (message: unknown) => void): void;
  onEnd(listener: () => void): void;
}

/** Of this process to the one that started it, or of a child to this one. The child is started with an IPC channel. */
export const channelTo = (peer: NodeJS.Process | ChildProcess): Channel => {
  // Kept: a mini-tool's process takes `send` off the global object.
  const send = peer.send?.bind(peer) as ((message: object, handle: undefined, options: object, sent: (error: Error | null) => void) => boolean) | undefined;
  return {
    send: (message, sent) => {
      if (!send || !peer.connected) {
        sent(new Error('the other process has gone'));
        return;
      }
      send(message, undefined, {}, sent);
    },
    onMessage: (listener) => {
      peer.on('message', listener);
    },
    onEnd: (listener) => {
      peer.on('disconnect', listener);
    },
  };
};

/** Two ends in one process: what is sent at one arrives at the other later, as the JSON that a real channel would make of it. */
export const createChannelPair = (): readonly [Channel, Channel, end: () => void] => {
  type End = { readonly messages: ((message: unknown) => void)[]; readonly ends: (() => void)[] };
  const ends: readonly [End, End] = [
    { messages: [], ends: [] },
    { messages: [], ends: [] },
  ];
  let isOpen = true;
  const channel = (own: End, other: End): Channel => ({
    send: (message, sent) => {
      if (!isOpen) {
        sent(new Error('the other end has gone'));
        return;
      }
      const text = JSON.stringify(message);
      queueMicrotask(() => {
        for (const listener of other.messages) listener(JSON.parse(text));
        sent();
      });
    },
    onMessage: (listener) => {
      own.messages.push(listener);
    },
    onEnd: (listener) => {
      own.ends.push(listener);
    },
  });
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const each of ends) for (const listener of each.ends) listener();
  };
  return [channel(ends[0], ends[1]), channel(ends[1], ends[0]), end];
};

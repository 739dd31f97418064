/**
 * Wake-ups between nodes by NOTIFY, after the commit and on a connection of its own: inside the writing transaction it
 * would let only one transaction of the whole database commit at a time.
 *
 * B1 Best effort. While one notification is under way the next gathers (the newest seq of each session); what cannot be
 *    sent is dropped, for sweeps find it. B2 A listener's throw hurts nobody else.
 * A store does not hear itself: each message begins with its sender's origin.
 */
import type pg from 'pg';
import type { Bus } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Connection, createConnection } from './connection.ts';
import { clientConfig, prepareNotifier } from './connection-settings.ts';

const channel = 'turnkeeper_sessions';
/** PostgreSQL takes less than 8,000 bytes. */
const maxPayloadBytes = 7_900;
const notify = { name: 'notify', text: `select pg_notify('${channel}', p) from unnest($1::text[]) as p` };

type Listener = (sid: number, seq: number) => void;
export type PostgresBus = Bus & { close(): Promise<void> };

/** Messages of at most 7,900 bytes: `origin sid:seq,sid:seq,…`. All ASCII, so characters are bytes. */
export const packMessages = (origin: string, moved: ReadonlyMap<number, number>): string[] => {
  const messages: string[] = [];
  let current = '';
  for (const [sid, seq] of moved) {
    const entry = `${sid}:${seq}`;
    if (current !== '' && current.length + 1 + entry.length > maxPayloadBytes) {
      messages.push(current);
      current = '';
    }
    current = current === '' ? `${origin} ${entry}` : `${current},${entry}`;
  }
  return current === '' ? messages : [...messages, current];
};

const entriesOf = (origin: string, message: string): [number, number][] => {
  const space = message.indexOf(' ');
  if (space < 0 || message.slice(0, space) === origin) return [];
  return message
    .slice(space + 1)
    .split(',')
    .map((entry): [number, number] => {
      const [sid, seq] = entry.split(':').map(Number);
      return [sid ?? Number.NaN, seq ?? Number.NaN];
    })
    .filter(([sid, seq]) => Number.isSafeInteger(sid) && Number.isSafeInteger(seq));
};

const createSender = (url: string, clock: Clock, origin: string): { readonly publish: Listener; close(): Promise<void> } => {
  const connection = createConnection({ config: clientConfig(url, 'notify'), clock, prepare: prepareNotifier });
  let moved = new Map<number, number>();
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    await null;
    while (moved.size > 0) {
      const messages = packMessages(origin, moved);
      moved = new Map();
      let client: pg.Client | undefined;
      try {
        client = await connection.client();
        await client.query({ ...notify, values: [messages] });
      } catch {
        if (client) connection.drop(client);
      }
    }
    sending = undefined;
  };
  return {
    publish: (sid, seq) => {
      moved.set(sid, Math.max(seq, moved.get(sid) ?? 0));
      sending ??= send();
    },
    close: async () => {
      await sending;
      await connection.close();
    },
  };
};

/** Listens as long as it is open, and again after the connection was lost. */
const createReceiver = (url: string, clock: Clock, hear: (message: string) => void): { open(): void; close(): Promise<void> } => {
  let stopped = false;
  let opened = false;
  const prepare = async (client: pg.Client): Promise<void> => {
    client.on('notification', (notification) => hear(notification.payload ?? ''));
    await client.query(`listen ${channel}`);
  };
  const connection: Connection = createConnection({ config: clientConfig(url, 'listen'), clock, prepare, onLost: () => void listen() });
  const listen = async (): Promise<void> => {
    while (!stopped) {
      try {
        await connection.client();
        return;
      } catch {
        // The connection's own back-off spaces the attempts.
      }
    }
  };
  return {
    open: () => {
      if (opened) return;
      opened = true;
      void listen();
    },
    close: async () => {
      stopped = true;
      await connection.close();
    },
  };
};

export const createPostgresBus = (url: string, clock: Clock, origin: string, report: (error: unknown) => void): PostgresBus => {
  const listeners = new Set<Listener>();
  const hear = (message: string): void => {
    for (const [sid, seq] of entriesOf(origin, message)) {
      for (const listener of listeners) {
        try {
          listener(sid, seq);
        } catch (error) {
          report(error);
        }
      }
    }
  };
  const sender = createSender(url, clock, origin);
  const receiver = createReceiver(url, clock, hear);
  return {
    shared: true,
    publish: sender.publish,
    subscribe: (listener) => {
      listeners.add(listener);
      receiver.open();
      return () => listeners.delete(listener);
    },
    close: async () => {
      await receiver.close();
      await sender.close();
    },
  };
};

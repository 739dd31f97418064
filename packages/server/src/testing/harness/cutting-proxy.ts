/**
 * A TCP proxy that can cut, delay and hold back bytes, as networks and reverse proxies do.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Weather = {
  /** Cuts each connection after so many bytes of the answer. */
  readonly cutAfter?: number;
  /** Every piece of the answer waits so long (ms). */
  readonly delayMs?: number;
  /** Nothing gets through, either way, and nobody is told: as a firewall that forgot the connection. */
  readonly swallows?: true;
  /** Hands on only whole blocks of so many bytes, as a buffering proxy does; the rest when the answer ends. */
  readonly blockBytes?: number;
};

export type CuttingProxy = {
  readonly url: string;
  /** For connections from now on. */
  readonly weather: (weather: Weather) => void;
  /** Cuts all connections now, without a word. */
  readonly cutAll: () => void;
  /** All connections that are open now swallow everything from here on; new ones have the weather of their time. */
  readonly swallowAll: () => void;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** Hands on an answer's bytes in the given weather. */
const handOn = (from: Socket, to: Socket, { cutAfter, delayMs, blockBytes }: Weather, lost: () => boolean): void => {
  let sent = 0;
  let kept = Buffer.alloc(0);
  const send = (bytes: Buffer): void => {
    if (lost()) return;
    const rest = cutAfter === undefined ? bytes : bytes.subarray(0, Math.max(cutAfter - sent, 0));
    sent += rest.length;
    if (rest.length > 0) to.write(rest);
    if (cutAfter !== undefined && sent >= cutAfter) {
      to.destroy();
      from.destroy();
    }
  };
  const later = (act: () => void): void => void (delayMs === undefined ? act() : setTimeout(act, delayMs));
  from.on('data', (chunk: Buffer) =>
    later(() => {
      if (blockBytes === undefined) return send(chunk);
      kept = Buffer.concat([kept, chunk]);
      const whole = kept.length - (kept.length % blockBytes);
      if (whole > 0) send(kept.subarray(0, whole));
      kept = kept.subarray(whole);
    }),
  );
  from.on('end', () =>
    later(() => {
      send(kept);
      if (!lost()) to.end();
    }),
  );
};

export const startCuttingProxy = async (targetPort: number): Promise<CuttingProxy> => {
  const open = new Set<Socket>();
  let weather: Weather = {};
  /** What connections up to this one say is lost. */
  let swallowed = 0;
  let made = 0;
  const server = createServer((client) => {
    made += 1;
    const n = made;
    if (weather.swallows) swallowed = n;
    const target = connect(targetPort, '127.0.0.1');
    for (const socket of [client, target]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    const lost = (): boolean => n <= swallowed;
    client.on('close', () => target.destroy());
    // Its end is handed on in its turn; only a broken answer breaks at once.
    target.on('close', (broken) => broken && !lost() && client.destroy());
    client.on('data', (chunk: Buffer) => lost() || target.write(chunk));
    client.on('end', () => lost() || target.end());
    handOn(target, client, weather, lost);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weather: (next) => {
      weather = next;
    },
    swallowAll: () => {
      swallowed = made;
    },
    cutAll: () => {
      for (const socket of open) socket.destroy();
    },
    connections: () => Math.ceil(open.size / 2),
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

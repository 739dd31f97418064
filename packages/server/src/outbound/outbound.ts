/**
 * The way out: every request that a tool sends goes one of two ways. The library that sends it is large, and loaded with the first one.
 *
 * O3 `open` is for addresses that a model chose: only public ones are reached, and what the installation allows.
 *    `named` is for addresses that a definition names: private ones too, but no cloud's metadata service.
 * O4 All addresses that a name leads to must be allowed, and the connection is made to one of these and to no other: a
 *    name that is asked again cannot lead elsewhere. An address that stands in the URL itself is looked at alike.
 * O5 Nothing here follows a redirect: whoever follows one sends a new request, which is looked at again.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction, Socket } from 'node:net';
import type { Agent, buildConnector, Dispatcher, request } from 'undici';
import { isMetadata, isPublic, parseAddress } from './addresses.ts';
import { type AllowList, plainHost } from './allow-list.ts';

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;
export type OutboundOptions = { readonly allow: AllowList; readonly lookup?: Lookup };
export type Way = {
  readonly request: (url: string | URL, sent: Omit<NonNullable<Parameters<typeof request<null>>[1]>, 'dispatcher'>) => Promise<Dispatcher.ResponseData>;
  /** For a library that sends requests of its own. */
  readonly dispatcher: () => Promise<Dispatcher>;
};
export type Outbound = { readonly open: Way; readonly named: Way; readonly close: () => Promise<void> };

type Rule = 'open' | 'named';

/** The filter refused an address. The message is for models and people alike: it does not say what the name led to. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
}

const connectMs = 10_000;
const answerMs = 600_000;
const mostAddresses = 64;

const lookupAll: Lookup = (host) => systemLookup(host, { all: true, verbatim: true });

const refused = (host: string, rule: Rule): OutboundRefused =>
  new OutboundRefused(
    rule === 'open'
      ? `${host} is not a public address, so it is not reached. An operator can allow it (outbound.allow).`
      : `${host} is the address of a metadata service, so it is not reached. An operator can allow it (outbound.allow).`,
  );

/** The addresses that a connection to the host may be made to. Throws `OutboundRefused`, or that the name is not known. */
const allowedAddresses = async (host: string, port: number, rule: Rule, { allow, lookup = lookupAll }: OutboundOptions): Promise<readonly LookupAddress[]> => {
  const literal = parseAddress(host);
  const found = literal ? [{ address: plainHost(host), family: literal.kind() === 'ipv6' ? 6 : 4 }] : await lookup(host);
  if (found.length === 0) throw new Error(`the name ${host} leads to no address`);
  const byName = allow.host(host, port);
  for (const { address } of found) {
    const parsed = parseAddress(address);
    const fits = parsed !== undefined && (byName || allow.address(parsed) || (rule === 'open' ? isPublic(parsed) : !isMetadata(parsed)));
    if (!fits) throw refused(host, rule);
  }
  return found.slice(0, mostAddresses);
};

/** Answers the connector with the addresses that were looked at, and with nothing else (O4). */
const pinned =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, options, answer) => {
    const [first] = addresses;
    if (options.all) answer(null, [...addresses]);
    else if (first) answer(null, first.address, first.family);
  };

const isOneOf = (socket: Socket, addresses: readonly LookupAddress[]): boolean => {
  const remote = parseAddress(socket.remoteAddress ?? '')?.toNormalizedString();
  return addresses.some(({ address }) => parseAddress(address)?.toNormalizedString() === remote);
};

const connectorFor =
  (rule: Rule, options: OutboundOptions): buildConnector.connector =>
  (target, done) => {
    const host = plainHost(target.hostname);
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const connect = async (): Promise<void> => {
      const addresses = await allowedAddresses(host, port, rule, options);
      const { buildConnector } = await import('undici');
      const connector = buildConnector({
        lookup: pinned(addresses),
        timeout: connectMs,
        allowH2: false,
        autoSelectFamily: true,
      } as buildConnector.BuildOptions);
      connector({ ...target, hostname: host }, (error, socket) => {
        if (error) return done(error, null);
        if (isOneOf(socket, addresses)) return done(null, socket);
        socket.destroy();
        return done(refused(host, rule), null);
      });
    };
    connect().catch((error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null));
  };

const createWay = (rule: Rule, options: OutboundOptions): Way & { readonly close: () => Promise<void> } => {
  let agent: Promise<Agent> | undefined;
  // The bounds of time are the callers': a tool may be slow to answer for as long as its definition says. So is the number
  // of connections: MCP servers hold one open for each conversation, and a bound here would let them shut out all calls.
  const create = async (): Promise<Agent> =>
    new (await import('undici')).Agent({ connect: connectorFor(rule, options), headersTimeout: answerMs, bodyTimeout: answerMs, keepAliveTimeout: 4_000 });
  const dispatcher = (): Promise<Agent> => (agent ??= create());
  return {
    dispatcher,
    request: async (url, sent) => (await import('undici')).request(url, { ...sent, dispatcher: await dispatcher() }),
    close: async () => (await agent)?.destroy(),
  };
};

export const createOutbound = (options: OutboundOptions): Outbound => {
  const open = createWay('open', options);
  const named = createWay('named', options);
  return { open, named, close: async () => void (await Promise.all([open.close(), named.close()])) };
};

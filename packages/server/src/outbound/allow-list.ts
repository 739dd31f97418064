/**
 * The hosts and address ranges that an installation allows though they are not public.
 */
import ipaddr from 'ipaddr.js';
import { inRange, parseAddress } from './addresses.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type HostRule = { readonly host: string; readonly below: boolean; readonly port: number | undefined };

export type AllowList = {
  /** By the name that was asked for. */
  readonly host: (host: string, port: number) => boolean;
  /** By the address that the name leads to. */
  readonly address: (address: Address) => boolean;
};

export const allowNothing: AllowList = { host: () => false, address: () => false };

/** Lower case, without the root's dot and an address's brackets. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const readRange = (entry: string): readonly [Address, number] | undefined => {
  try {
    return entry.includes('/') ? ipaddr.parseCIDR(entry) : undefined;
  } catch {
    return undefined;
  }
};

const readHost = (entry: string): HostRule | undefined => {
  const bare = parseAddress(entry);
  if (bare) return { host: bare.toNormalizedString(), below: false, port: undefined };
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const below = host.startsWith('*.');
  const name = plainHost(below ? host.slice(2) : host);
  const address = parseAddress(name);
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  if (address ? below : !hostName.test(name) || /^[\d.]+$/.test(name)) return undefined;
  return { host: address?.toNormalizedString() ?? name, below, port: port === undefined ? undefined : Number(port) };
};

const wanted =
  'a host ("db.example.com"), a host with its port ("db.example.com:8443"), all hosts below one ("*.internal") or a range ("10.0.0.0/8") is wanted';

/** Reads the entries of `outbound.allow`; the faults name each entry that says nothing. */
export const parseAllowList = (entries: readonly string[]): { readonly list: AllowList; readonly faults: readonly string[] } => {
  const hosts: HostRule[] = [];
  const ranges: (readonly [Address, number])[] = [];
  const faults: string[] = [];
  for (const entry of entries) {
    const range = readRange(entry);
    const host = range ? undefined : readHost(entry);
    if (range) ranges.push(range);
    else if (host) hosts.push(host);
    else faults.push(`${JSON.stringify(entry)} is not an entry of an allow list: ${wanted}`);
  }
  const fits = (rule: HostRule, host: string, port: number): boolean =>
    (rule.port === undefined || rule.port === port) && (rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host);
  return {
    list: {
      host: (host, port) => {
        const name = parseAddress(host)?.toNormalizedString() ?? plainHost(host);
        return hosts.some((rule) => fits(rule, name, port));
      },
      address: (address) => ranges.some((range) => inRange(address, range)),
    },
    faults,
  };
};

/** Sets of addresses that an operator writes down: single ones, and ranges as CIDR. */
import ipaddr from 'ipaddr.js';
import { inRange, parseAddress } from './addresses.ts';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

export type AddressRanges = { readonly has: (address: string) => boolean };

const readRange = (entry: string): Range | undefined => {
  const [address = '', bits, ...more] = entry.split('/');
  const base = parseAddress(address);
  if (!base || more.length > 0) return undefined;
  const most = base.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [base, most];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [base, Number(bits)] : undefined;
};

/** Reads the entries; the faults name each that is neither an address nor a range of them. */
export const parseAddressRanges = (entries: readonly string[]): { readonly ranges: AddressRanges; readonly faults: readonly string[] } => {
  const ranges: Range[] = [];
  const faults: string[] = [];
  for (const entry of entries) {
    const range = readRange(entry);
    if (range) ranges.push(range);
    else faults.push(`${JSON.stringify(entry)} is neither an address ("10.0.0.2") nor a range of them ("10.0.0.0/8")`);
  }
  const has = (text: string): boolean => {
    const address = parseAddress(text);
    // What listens for both families sees IPv4 in the clothes of IPv6.
    const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
    return plain !== undefined && ranges.some((range) => inRange(plain, range));
  };
  return { ranges: { has }, faults };
};

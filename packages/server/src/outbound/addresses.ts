/**
 * Which addresses may be reached.
 *
 * O1 A public address is one that is known to be: what is not plainly global unicast (loopback, private, link-local,
 *    carrier NAT, and every form of IPv6 that carries an IPv4 address) is not.
 * O2 Addresses from which clouds hand out credentials are told apart: those are refused also where private ones are not.
 */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The global unicast block: all that is public in IPv6 lies within it. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

const metadata: readonly [Address, number][] = [
  ipaddr.parseCIDR('169.254.0.0/16'),
  ipaddr.parseCIDR('100.100.100.200/32'),
  // Azure's: the one of them that lies among public addresses.
  ipaddr.parseCIDR('168.63.129.16/32'),
  ipaddr.parseCIDR('192.0.0.192/32'),
  ipaddr.parseCIDR('fd00:ec2::254/128'),
  ipaddr.parseCIDR('fd20:ce::254/128'),
];

/** The address without its zone; undefined when the text is none. */
export const parseAddress = (text: string): Address | undefined => {
  const plain = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(plain) && (plain.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(plain)) ? ipaddr.parse(plain) : undefined;
};

const ipv4At = (bytes: readonly number[], at: number): ipaddr.IPv4 => new ipaddr.IPv4([...bytes.slice(at, at + 4)]);

/** The IPv4 addresses that packets to this one may end at: mapped, translated (NAT64), tunnelled (6to4), compatible. */
const carried = (address: Address): readonly ipaddr.IPv4[] => {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6052' || range === 'rfc6145') return [ipv4At(bytes, 12)];
  if (range === '6to4') return [ipv4At(bytes, 2)];
  return bytes.slice(0, 12).every((byte) => byte === 0) ? [ipv4At(bytes, 12)] : [];
};

export const inRange = (address: Address, [base, bits]: readonly [Address, number]): boolean =>
  address.kind() === base.kind() && (address as ipaddr.IPv6).match(base as ipaddr.IPv6, bits);

export const isMetadata = (address: Address): boolean => [address, ...carried(address)].some((one) => metadata.some((range) => inRange(one, range)));

export const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(globalUnicast)) && !isMetadata(address);

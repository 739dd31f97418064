import { expect, test } from 'vitest';
import { parseAddressRanges } from './address-ranges.ts';

test('addresses and ranges of both families; IPv4 also where IPv6 carries it', () => {
  const { ranges, faults } = parseAddressRanges(['10.1.0.0/16', '192.0.2.7', 'fd00:1::/32', '::1']);
  expect(faults).toEqual([]);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd00:1:2::3', '::1', '[::1]']) expect(ranges.has(address), address).toBe(true);
  for (const address of ['10.2.0.1', '192.0.2.8', 'fd00:2::1', '::2', '', 'unknown', '10.1.2.3:80', '167837955'])
    expect(ranges.has(address), address).toBe(false);
  expect(parseAddressRanges([]).ranges.has('127.0.0.1')).toBe(false);
});

test('what is neither is named', () => {
  const wrong = ['10.0.0.0/33', '::/129', 'proxy.internal', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', ''];
  expect(parseAddressRanges(wrong).faults.map((fault) => fault.split(' is ', 1)[0])).toEqual(wrong.map((entry) => JSON.stringify(entry)));
});

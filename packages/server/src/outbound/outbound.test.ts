import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMetadata, isPublic, parseAddress } from './addresses.ts';
import { allowNothing, parseAllowList } from './allow-list.ts';
import { createOutbound, type Outbound, OutboundRefused } from './outbound.ts';

let reached: string[] = [];
const server = createServer((asked, answer) => {
  reached.push(asked.url ?? '');
  answer.end('private');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What the filter says of a URL: reached, refused, or that the network failed. */
const ask = async (outbound: Outbound, way: 'open' | 'named', url: string): Promise<'reached' | 'refused' | 'failed'> => {
  try {
    const { statusCode, body } = await outbound[way].request(url, {});
    await body.dump();
    return statusCode === 200 ? 'reached' : 'failed';
  } catch (error) {
    return error instanceof OutboundRefused ? 'refused' : 'failed';
  }
};
const withOutbound = async (
  options: { readonly allow?: readonly string[]; readonly lookup?: (host: string) => Promise<readonly { address: string; family: number }[]> },
  use: (outbound: Outbound) => Promise<void>,
): Promise<void> => {
  const { list, faults } = parseAllowList(options.allow ?? []);
  expect(faults).toEqual([]);
  const outbound = createOutbound({ allow: list, ...(options.lookup ? { lookup: options.lookup } : {}) });
  reached = [];
  await use(outbound).finally(outbound.close);
};

const hidden = [
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
  ],
  ...[
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    'fe80::1',
    'fe80::1%eth0',
  ],
  '168.63.129.16',
  ...['fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2001:db8::1', '4000::1'],
];
test('O1: what is not plainly public is not', () => {
  for (const text of hidden) {
    const address = parseAddress(text);
    expect(address && isPublic(address), text).toBe(false);
  }
  for (const text of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111']) {
    const address = parseAddress(text);
    expect(address && isPublic(address), text).toBe(true);
  }
  // Not taken for addresses: resolvers would read them in ways of their own.
  for (const text of ['0x7f.1', '2130706433', '0177.0.0.1', '127.1', 'localhost']) expect(parseAddress(text)).toBeUndefined();
});

test('O2: metadata services are known in every form', () => {
  for (const text of [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '::a9fe:a9fe',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '::ffff:168.63.129.16',
  ]) {
    const address = parseAddress(text);
    expect(address && isMetadata(address), text).toBe(true);
  }
  for (const text of ['127.0.0.1', '10.0.0.1', 'fd00::1', '8.8.8.8']) {
    const address = parseAddress(text);
    expect(address && isMetadata(address), text).toBe(false);
  }
});

test('O3: an address in the URL is looked at, however it is written', async () => {
  await withOutbound({}, async (outbound) => {
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '0',
      '①②⑦.0.0.1',
    ])
      expect(await ask(outbound, 'open', `http://${host}:${port}/`), host).toBe('refused');
    expect(reached).toEqual([]);
    expect(await ask(outbound, 'named', `http://127.0.0.1:${port}/`)).toBe('reached');
    for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', '[fd00:ec2::254]'])
      expect(await ask(outbound, 'named', `http://${host}/`), host).toBe('refused');
  });
});

test('O4: a name is refused when any of its addresses is, and is asked for once', async () => {
  const answers: Record<string, readonly string[]> = {
    'inside.example': ['127.0.0.1'],
    'mixed.example': ['8.8.8.8', '127.0.0.1'],
    'meta.example': ['169.254.169.254'],
  };
  let asked = 0;
  const lookup = async (host: string) => {
    asked += 1;
    // The second time it would lead inside.
    if (host === 'rebinding.example') return [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
    return (answers[host] ?? []).map((address) => ({ address, family: 4 }));
  };
  await withOutbound({ lookup }, async (outbound) => {
    for (const host of ['inside.example', 'mixed.example', 'meta.example', 'localhost']) {
      const verdict = await ask(outbound, 'open', `http://${host}:${port}/`);
      expect(verdict, host).toBe(host === 'localhost' ? 'failed' : 'refused');
    }
    expect(reached).toEqual([]);
    expect(await ask(outbound, 'named', `http://inside.example:${port}/in`)).toBe('reached');
    expect(await ask(outbound, 'named', `http://meta.example:${port}/`)).toBe('refused');
    expect(reached).toEqual(['/in']);
  });
  asked = 0;
  await withOutbound({ lookup, allow: ['192.0.2.0/24'] }, async (outbound) => {
    // The allowed address is that of a documentation network: nothing answers there, and nothing else is tried.
    const verdict = await Promise.race([
      ask(outbound, 'open', `http://rebinding.example:${port}/`),
      new Promise((resolve) => setTimeout(resolve, 300, 'failed')),
    ]);
    expect([verdict, asked, reached]).toEqual(['failed', 1, []]);
  });
});

test('the allow list opens hosts, ports, names below a name, and ranges, and nothing else', async () => {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const cases: readonly [string, string, 'reached' | 'refused'][] = [
    ['db.example', 'db.example', 'reached'],
    ['DB.example', 'db.example.', 'reached'],
    ['db.example', 'other.example', 'refused'],
    [`db.example:${port}`, 'db.example', 'reached'],
    ['db.example:1', 'db.example', 'refused'],
    ['*.internal', 'a.b.internal', 'reached'],
    ['*.internal', 'internal', 'refused'],
    ['*.internal', 'notinternal', 'refused'],
    ['127.0.0.0/8', 'any.example', 'reached'],
    ['127.0.0.1', '127.0.0.1', 'reached'],
    ['10.0.0.0/8', '127.0.0.1', 'refused'],
  ];
  for (const [entry, host, verdict] of cases)
    await withOutbound({ lookup, allow: [entry] }, async (outbound) =>
      expect(await ask(outbound, 'open', `http://${host}:${port}/`), `${entry} ${host}`).toBe(verdict),
    );
  const faulty = ['http://x', '10.0.0.0/99', 'a:99999', 'a b', '', '*', '*.10.0.0.1', '10.0', 'x/y'];
  expect(parseAllowList(faulty).faults).toHaveLength(faulty.length);
  expect(allowNothing.host('x', 80)).toBe(false);
});

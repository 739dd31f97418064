/** Each platform's rule, with signatures made here by its document and not by the code under test. */
import { createHmac } from 'node:crypto';
import { manifest as manifestSchema } from '@turnkeeper/minitool/manifest/schema';
import { describe, expect, it } from 'vitest';
import type { GivenRequest } from './signing.ts';
import { verificationOf } from './verification.ts';

const now = 1_800_000_000_000;
const seconds = now / 1_000;
const body = '{"event_id":"Ev1","ü":"✓"}';
const secret = 'the-secret';
const sign = (key: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex'): string => createHmac('sha256', key).update(text).digest(encoding);
const manifestWith = (verify: unknown, secrets: readonly string[] = ['webhook.in', 'CHOSEN']) =>
  manifestSchema.parse({ manifestVersion: 1, id: 'bot', name: 'Bot', permissions: { secrets }, contributes: { webhooks: [{ id: 'in', verify }] } });
const request = (headers: Record<string, string>, text = body): GivenRequest => ({ headers, body: Buffer.from(text) });

const genuine = async (verify: unknown, given: GivenRequest, kept: Record<string, string> = { 'webhook.in': secret, CHOSEN: secret }): Promise<boolean> => {
  const manifest = manifestWith(verify);
  const [hook] = manifest.contributes.webhooks;
  if (!hook) throw new Error('no hook');
  return (await verificationOf(manifest, hook, async (key) => kept[key])).genuine(given, now);
};

const standardKey = Buffer.from('0123456789abcdef0123456789abcdef');
const standardSecret = `whsec_${standardKey.toString('base64')}`;

type Case = {
  readonly verify: unknown;
  readonly make: (at: number, text?: string, key?: string) => Record<string, string>;
  readonly kept: Record<string, string>;
};
const cases: Readonly<Record<string, Case>> = {
  slack: {
    verify: 'slack',
    make: (at, text = body, key = secret) => ({ 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${sign(key, `v0:${at}:${text}`)}` }),
    kept: { 'webhook.in': secret },
  },
  stripe: {
    verify: 'stripe',
    make: (at, text = body, key = secret) => ({
      'stripe-signature': `t=${at},v1=${sign('an older one', `${at}.${text}`)},v1=${sign(key, `${at}.${text}`)},v0=1`,
    }),
    kept: { 'webhook.in': secret },
  },
  'standard-webhooks': {
    verify: 'standard-webhooks',
    make: (at, text = body, key = standardSecret) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${sign('an older one', 'x', 'base64')} v1,${sign(Buffer.from(key.slice(6), 'base64'), `msg_1.${at}.${text}`, 'base64')}`,
    }),
    kept: { 'webhook.in': standardSecret },
  },
  github: {
    verify: 'github',
    make: (_, text = body, key = secret) => ({ 'x-hub-signature-256': `sha256=${sign(key, text)}` }),
    kept: { 'webhook.in': secret },
  },
  telegram: { verify: 'telegram', make: (_, _text, key = secret) => ({ 'x-telegram-bot-api-secret-token': key }), kept: { 'webhook.in': secret } },
  'an HMAC in a header': {
    verify: { type: 'hmac-sha256', header: 'X-My-Signature', secret: 'CHOSEN' },
    make: (_, text = body, key = secret) => ({ 'x-my-signature': sign(key, text).toUpperCase() }),
    kept: { CHOSEN: secret },
  },
  'a token in a header': {
    verify: { type: 'token', header: 'Authorization', secret: 'CHOSEN' },
    make: (_, _text, key = secret) => ({ authorization: `Bearer ${key}` }),
    kept: { CHOSEN: secret },
  },
  'slack with a secret by another name': {
    verify: { type: 'slack', header: 'x-slack-signature', secret: 'CHOSEN' },
    make: (at, text = body, key = secret) => ({ 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${sign(key, `v0:${at}:${text}`)}` }),
    kept: { CHOSEN: secret },
  },
};
const timed = new Set(['slack', 'stripe', 'standard-webhooks', 'slack with a secret by another name']);
const overBody = new Set(Object.keys(cases).filter((name) => !/telegram|token/.test(name)));

describe.each(Object.entries(cases))('%s', (name, { verify, make, kept }) => {
  it('takes what is signed as its document says', async () => {
    expect(await genuine(verify, request(make(seconds)), kept)).toBe(true);
  });

  it('refuses another secret, no signature, and one cut short', async () => {
    const wrong = name === 'standard-webhooks' ? `whsec_${Buffer.from('another').toString('base64')}` : 'the-secreT';
    expect(await genuine(verify, request(make(seconds, body, wrong)), kept)).toBe(false);
    expect(await genuine(verify, request({}), kept)).toBe(false);
    const cut = Object.fromEntries(
      Object.entries(make(seconds)).map(([header, value]) => [header, /timestamp|-id$/.test(header) ? value : value.slice(0, -8)]),
    );
    expect(await genuine(verify, request(cut), kept)).toBe(false);
  });

  if (overBody.has(name))
    it('refuses another body', async () => {
      expect(await genuine(verify, request(make(seconds), `${body} `), kept)).toBe(false);
    });

  if (timed.has(name))
    it('refuses what is signed more than 5 minutes before or after (VY2)', async () => {
      for (const away of [-301, 301, -86_400]) expect(await genuine(verify, request(make(seconds + away)), kept)).toBe(false);
      for (const away of [-300, 300]) expect(await genuine(verify, request(make(seconds + away)), kept)).toBe(true);
    });

  it('refuses everything while its secret is not set, empty, or not declared (VY4)', async () => {
    const given = request(make(seconds, body, name === 'standard-webhooks' ? 'whsec_' : ''));
    const nothing: readonly Record<string, string>[] = [{}, { 'webhook.in': '', CHOSEN: '' }];
    for (const none of nothing) expect(await genuine(verify, given, none)).toBe(false);
    const manifest = manifestWith(verify, ['another']);
    const [hook] = manifest.contributes.webhooks;
    const verification = hook && (await verificationOf(manifest, hook, async () => secret));
    expect(verification?.fault).toContain('is not in permissions.secrets');
    expect(verification?.genuine(request(make(seconds)), now)).toBe(false);
  });
});

describe('a time that somebody else has put in', () => {
  it('is part of what is signed', async () => {
    const { make, kept } = cases['slack'] as Case;
    expect(await genuine('slack', request({ ...make(seconds - 4_000), 'x-slack-request-timestamp': String(seconds) }), kept)).toBe(false);
    const stripe = `t=${seconds},t=${seconds - 4_000},v1=${sign(secret, `${seconds - 4_000}.${body}`)}`;
    expect(await genuine('stripe', request({ 'stripe-signature': stripe }), kept)).toBe(false);
  });

  it.each(['', 'NaN', '1e10', '-1', ' 1800000000', '0x6b49d200'])('must be plain seconds: not %j', async (time) => {
    const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${sign(secret, `v0:${time}:${body}`)}` };
    expect(await genuine('slack', request(headers))).toBe(false);
  });
});

describe('a standard webhook', () => {
  it('is not signed by a secret that decodes to nothing', async () => {
    const headers = { 'webhook-id': 'm', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${sign('', `m.${seconds}.${body}`, 'base64')}` };
    expect(await genuine('standard-webhooks', request(headers), { 'webhook.in': 'whsec_' })).toBe(false);
  });
});

describe('the kind of a verification', () => {
  it('`none` takes everything', async () => {
    expect(await genuine('none', request({}), {})).toBe(true);
  });

  it('is one of those that are known: another one is a fault of the manifest', () => {
    for (const type of ['ed25519', 'constructor', 'none']) expect(() => manifestWith({ type, header: 'x', secret: 'CHOSEN' })).toThrow('hmac-sha256');
  });
});

/** Configurations that are wrong, and what is said of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listConfig, readConfig } from './config.ts';

const data = mkdtempSync(join(tmpdir(), 'tk-config-'));
afterAll(() => rmSync(data, { recursive: true }));

const refusal = (env: Record<string, string>): string => {
  try {
    readConfig({ data }, env);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
};

test('secrets are never repeated', () => {
  for (const name of ['TURNKEEPER_ADMIN_TOKEN', 'TURNKEEPER_SECRET_KEY']) {
    const said = refusal({ [name]: 'hunter2 hunter2 hunter2' });
    expect(said).toContain(name);
    expect(said).not.toContain('hunter2');
  }
  const file = join(data, 'turnkeeper.config.json');
  writeFileSync(file, '{"providers": {"x": {"apiKey": hunter2}}}');
  expect(refusal({})).toContain('is not valid JSON');
  expect(refusal({})).not.toContain('hunter');
  rmSync(file);
});

test('a secret key is 32 bytes', () => {
  for (const key of ['0'.repeat(64), Buffer.alloc(32, 250).toString('base64'), Buffer.alloc(32, 250).toString('base64url')])
    expect(refusal({ TURNKEEPER_SECRET_KEY: key })).toBe('');
  for (const key of ['0'.repeat(63), Buffer.alloc(31).toString('base64')]) expect(refusal({ TURNKEEPER_SECRET_KEY: key })).not.toBe('');
});

test('the demo is on or off, and nothing else', () => {
  const demo = (value: string): boolean => readConfig({ data }, { TURNKEEPER_DEMO: value }).demo;
  expect(['0', 'false', '1', 'true', ''].map(demo)).toEqual([false, false, true, true, true]);
  for (const value of ['no', 'off', '2']) expect(refusal({ TURNKEEPER_DEMO: value })).toContain('TURNKEEPER_DEMO');
  expect(readConfig({ data, demo: false }, { TURNKEEPER_DEMO: '1' }).demo).toBe(false);
});

test('the language of mini-tools: the variable, the file, what the process itself is told, English', () => {
  const locale = (env: Readonly<Record<string, string | undefined>>) => readConfig({ data }, env).locale;
  expect(
    [{}, { LANG: 'zh_CN.UTF-8' }, { LANG: 'zh_CN.UTF-8', LC_ALL: 'en_US.UTF-8' }, { LC_ALL: 'zh' }, { LANG: 'zha_CN' }, { LANG: 'C' }].map(locale),
  ).toEqual([...['en-US', 'zh-CN', 'en-US', 'zh-CN', 'en-US', 'en-US']]);
  const file = join(data, 'turnkeeper.config.json');
  writeFileSync(file, '{"locale": "zh-CN"}');
  expect([locale({}), locale({ TURNKEEPER_LOCALE: 'en-US' })]).toEqual(['zh-CN', 'en-US']);
  const listed = (env: Record<string, string>) => listConfig({ data }, env).find(({ variable }) => variable === 'TURNKEEPER_LOCALE');
  expect(listed({})).toMatchObject({ name: 'language of mini-tools', value: 'zh-CN', source: 'file' });
  writeFileSync(file, '{"locale": "de-DE"}');
  expect(refusal({})).toContain('locale');
  rmSync(file);
  expect(refusal({ TURNKEEPER_LOCALE: 'de' })).toContain('TURNKEEPER_LOCALE');
  expect(listed({ LANG: 'zh_CN' })).toMatchObject({ value: 'zh-CN', source: 'default' });
});

test('a secret key is the same 32 bytes, however it is written', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n));
  for (const form of ['hex', 'base64', 'base64url'] as const)
    expect(readConfig({ data }, { TURNKEEPER_SECRET_KEY: bytes.toString(form) }).secretKey).toEqual(bytes);
  expect(readConfig({ data }, {}).secretKey).toBeUndefined();
});

test('what tools may reach comes from the environment or the file, and says what is wrong with it', () => {
  const file = join(data, 'turnkeeper.config.json');
  writeFileSync(file, '{"outbound": {"allow": ["db.internal", "10.0.0.0/8"]}}');
  expect(readConfig({ data }, {}).outbound.allow).toEqual(['db.internal', '10.0.0.0/8']);
  expect(readConfig({ data }, { TURNKEEPER_OUTBOUND_ALLOW: ' localhost:80 , *.lan,' }).outbound.allow).toEqual(['localhost:80', '*.lan']);
  expect(refusal({ TURNKEEPER_OUTBOUND_ALLOW: 'http://x' })).toContain('TURNKEEPER_OUTBOUND_ALLOW');
  writeFileSync(file, '{"outbound": {"allow": ["a b"]}}');
  expect(refusal({})).toContain('outbound.allow');
  rmSync(file);
});

test('what is in force is listed with where it comes from, secrets masked', () => {
  const file = join(data, 'turnkeeper.config.json');
  writeFileSync(file, '{"slots": 7, "providers": {"local": {"type": "openai-compatible", "baseURL": "http://localhost:1", "apiKey": "sk-in-the-file"}}}');
  const env = {
    PORT: '5000',
    HOST: '::1',
    TURNKEEPER_ADMIN_TOKEN: 'an-admin-token-in-the-environment',
    TURNKEEPER_SECRET_KEY: 'ab'.repeat(32),
    OPENAI_API_KEY: 'sk-in-the-environment',
    TURNKEEPER_DATABASE_URL: 'postgres://me:hunter2@db.example/turnkeeper?password=hunter3',
  };
  const listed = listConfig({ data, port: '6000', demo: false }, env);
  rmSync(file);
  const of = (name: string) => listed.find((entry) => entry.name === name);
  expect(of('port')).toEqual({ name: 'port', value: '6000', source: 'flag', flag: '--port', variable: 'PORT' });
  expect(of('host')).toMatchObject({ value: '::1', source: 'environment' });
  expect(of('slots')).toEqual({ name: 'slots', value: '7', source: 'file' });
  expect(of('demo')).toMatchObject({ value: 'off', source: 'flag' });
  expect(of('public URL')).toMatchObject({ source: 'default' });
  expect(of('database')).toMatchObject({ value: 'postgres://me:********@db.example/turnkeeper?password=********', source: 'environment' });
  for (const name of ['admin token', 'secret key', 'OpenAI']) expect(of(name)).toMatchObject({ value: '********', source: 'environment' });
  expect(of('Anthropic')).toMatchObject({ value: 'off', source: 'default' });
  expect(of('more providers')).toMatchObject({ value: 'local', source: 'file' });
  expect(JSON.stringify(listed)).not.toMatch(/sk-|hunter|abab|in-the-environment/);
});

test('traces go where OpenTelemetry’s variables say, or nowhere', () => {
  const of = (env: Record<string, string>) => readConfig({ data }, env).traces;
  expect(of({})).toBeUndefined();
  expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' })).toEqual({
    url: 'http://c:4318/v1/traces',
    headers: {},
    serviceName: 'turnkeeper',
    content: false,
  });
  const whole = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, y=1=2',
    OTEL_SERVICE_NAME: 'mine',
    TURNKEEPER_TRACE_CONTENT: '1',
  };
  expect(of(whole)).toEqual({ url: 'https://t/in', headers: { 'x-key': 'a b', y: '1=2' }, serviceName: 'mine', content: true });
  expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4318' })).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
  const hidden = refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' });
  expect(hidden).toContain('OTEL_EXPORTER_OTLP_HEADERS');
  expect(hidden).not.toContain('hunter');
  expect(refusal({ TURNKEEPER_METRICS_TOKEN: 'short' })).toContain('TURNKEEPER_METRICS_TOKEN');
});

test('origins are exact, or any; a public URL is a base to which paths are added', () => {
  const origins = (value: string) => readConfig({ data }, { TURNKEEPER_CORS_ORIGINS: value }).corsOrigins;
  expect(origins('https://app.example, http://localhost:5173')).toEqual(['https://app.example', 'http://localhost:5173']);
  expect(origins('*')).toEqual(['*']);
  for (const wrong of ['https://app.example/', 'app.example', 'https://*.example', 'null'])
    for (const name of ['TURNKEEPER_CORS_ORIGINS', 'TURNKEEPER_EMBED_ORIGINS'])
      expect(refusal({ [name]: wrong }), wrong).toContain(`${name}: "${wrong}" is not an origin`);
  expect(readConfig({ data, embedOrigins: 'https://shop.example' }, { TURNKEEPER_EMBED_ORIGINS: '*' }).embedOrigins).toEqual(['https://shop.example']);
  const base = (value: string) => readConfig({ data }, { TURNKEEPER_PUBLIC_URL: value }).publicUrl;
  expect(['https://turns.example', 'https://turns.example/', 'https://example.com/turns//'].map(base)).toEqual([
    'https://turns.example',
    'https://turns.example',
    'https://example.com/turns',
  ]);
  for (const wrong of ['turns.example', 'ftp://turns.example', 'https://turns.example/?a=1', 'https://turns.example/#x', 'https://me:pass@turns.example'])
    expect(refusal({ TURNKEEPER_PUBLIC_URL: wrong }), wrong).toContain('TURNKEEPER_PUBLIC_URL');
});

test('trusted proxies: none, the file, the variable in its place; what is wrong with them is told', () => {
  const file = join(data, 'turnkeeper.config.json');
  const listed = (env: Record<string, string>) => listConfig({ data }, env).find(({ name }) => name === 'trusted proxies');
  expect(readConfig({ data }, {}).trustedProxies).toEqual([]);
  expect(listed({})).toMatchObject({ value: 'none', source: 'default', variable: 'TURNKEEPER_TRUSTED_PROXIES' });
  writeFileSync(file, '{"trustedProxies": ["10.0.0.0/8"]}');
  expect(listed({})).toMatchObject({ value: '10.0.0.0/8', source: 'file' });
  expect(readConfig({ data }, { TURNKEEPER_TRUSTED_PROXIES: '10.0.0.2, fd00::/8' }).trustedProxies).toEqual(['10.0.0.2', 'fd00::/8']);
  expect(listed({ TURNKEEPER_TRUSTED_PROXIES: '10.0.0.2' })).toMatchObject({ value: '10.0.0.2', source: 'environment' });
  writeFileSync(file, '{"trustedProxies": ["all"]}');
  expect(refusal({})).toContain('trustedProxies: "all"');
  expect(refusal({ TURNKEEPER_TRUSTED_PROXIES: 'nginx' })).toContain('TURNKEEPER_TRUSTED_PROXIES: "nginx"');
  rmSync(file);
});

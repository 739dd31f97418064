/** Secrets at rest: what was changed, moved or sealed with another key does not open. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SecretRow } from '../ports/catalog.ts';
import { createSecretBox, createSecrets, unopenedSecrets } from './secrets.ts';

const box = createSecretBox(Buffer.alloc(32, 7));
const other = createSecretBox(Buffer.alloc(32, 8));
const value = 'sk-ключ-鍵';
const refused = { code: 'internal_error', details: { secret: 'API_KEY' } };

const opened = (with_: typeof box, name: string, sealed: string) => {
  try {
    return with_.open(name, sealed);
  } catch (error) {
    return error;
  }
};

test('SE1: a value is opened again; sealed twice it looks different, and is in neither', () => {
  const [one, two] = [box.seal('API_KEY', value), box.seal('API_KEY', value)];
  expect([box.open('API_KEY', one), box.open('API_KEY', two)]).toEqual([value, value]);
  expect(one).not.toBe(two);
  for (const form of [value, Buffer.from(value).toString('base64url'), Buffer.from(value).toString('hex')]) expect(one).not.toContain(form);
});

test('SE1: a value does not open under another name', () => {
  expect(opened(box, 'API_KEY', box.seal('OTHER', value))).toMatchObject(refused);
});

test('SE2: what another key sealed, or what was changed anywhere, does not open, and the error does not say what it was', () => {
  expect(opened(other, 'API_KEY', box.seal('API_KEY', value))).toMatchObject(refused);
  const sealed = box.seal('API_KEY', value);
  const bytes = Buffer.from(sealed.split('.')[1] ?? '', 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const fault = opened(box, 'API_KEY', `v1.${changed.toString('base64url')}`);
    expect([at, fault]).toMatchObject([at, refused]);
    expect(String(fault)).not.toContain(value);
  }
  for (const cut of ['', 'v1', 'v1.', 'v1.AAAA', `v2.${sealed.slice(3)}`, sealed.slice(0, -4)]) expect(opened(box, 'API_KEY', cut)).toMatchObject(refused);
});

test('a secret is resolved by its name as it is kept now; the ones of another key are named', async () => {
  const rows = new Map<string, SecretRow>();
  const put = (name: string, by: typeof box, text = value) => rows.set(name, { name, ciphertext: by.seal(name, text), updatedAt: 1, updatedBy: 'ann' });
  const catalog = { secret: async (name: string) => rows.get(name), secrets: async () => [...rows.values()] };
  const secrets = createSecrets(catalog, box);
  expect(await secrets.resolve('API_KEY')).toBeUndefined();
  put('API_KEY', box);
  expect(await secrets.resolve('API_KEY')).toBe(value);
  put('API_KEY', box, 'rotated');
  expect(await secrets.resolve('API_KEY')).toBe('rotated');
  put('OLD', other);
  put('BROKEN', box);
  rows.set('BROKEN', { name: 'BROKEN', ciphertext: randomBytes(40).toString('base64url'), updatedAt: 1, updatedBy: 'ann' });
  await expect(secrets.resolve('OLD')).rejects.toMatchObject({ code: 'internal_error', details: { secret: 'OLD' } });
  expect(await unopenedSecrets(catalog, box)).toEqual(['OLD', 'BROKEN']);
});

import { expect, test } from 'vitest';
import { textIn } from '../i18n/catalogues.ts';
import { fitting, mostLines, withLines } from './log-lines.ts';
import { permissionLines } from './permission-texts.ts';
import { beginningOf, changedValues, faultyFields, type SettingsField } from './setting-values.ts';

const none = { filesystem: 'none', network: false, shell: false, secrets: [], oauth: [], sessions: false, sessionInteractions: false } as const;
const line = (message: string, level: 'debug' | 'info' | 'warn' | 'error' = 'info') => ({ time: '2026-01-01T00:00:00.000Z', level, message });

test('permissions are told in the reader’s words; one that is not known in the server’s, as granted', () => {
  const t = (...given: [key: never, values?: never]) => textIn('zh', ...given);
  const inWords = ['network', 'secrets', 'telepathy'].map((permission) => ({ permission, words: `server: ${permission}`, enforced: permission !== 'network' }));
  expect(permissionLines({ ...none, secrets: ['token'], oauth: [] }, inWords, t as never)).toEqual([
    { permission: 'network', words: '不访问网络。', enforced: false, granted: false },
    { permission: 'secrets', words: '保存并读取自己的机密：token。', enforced: true, granted: true },
    { permission: 'telepathy', words: 'server: telepathy', enforced: true, granted: true },
  ]);
});

const field = (key: string, type: string, more: Partial<SettingsField> = {}): SettingsField => ({
  ...{ key, type, label: key, description: '', placeholder: '', required: false, secret: false, default: null, options: [] },
  ...more,
});

test('only what was changed is sent: empty is the default again, a secret that was left empty stays', () => {
  const fields = [field('name', 'text', { default: 'x' }), field('count', 'number'), field('on', 'toggle'), field('key', 'password', { secret: true })];
  const set = { name: 'mine', count: 3 };
  expect(fields.map((each) => beginningOf(each, set))).toEqual(['mine', 3, false, '']);
  expect(changedValues(fields, set, {})).toEqual({});
  expect(changedValues(fields, set, { name: '', count: '4', on: true, key: '' })).toEqual({ name: null, count: 4, on: true });
  expect(changedValues(fields, set, { name: 'mine', key: 'sesame' })).toEqual({ key: 'sesame' });
  expect(faultyFields(fields, { count: 'four' })).toEqual(['count']);
});

test('a log keeps its newest lines, and shows those that fit', () => {
  const many = Array.from({ length: mostLines + 5 }, (_, at) => line(String(at)));
  expect(withLines(withLines([], many.slice(0, 900)), many.slice(900))[0]).toMatchObject({ message: '5', n: 6 });
  const lines = withLines([], [line('Started'), line('bad THING', 'error'), line('thing', 'debug')]);
  expect(fitting(lines, 'info', 'thing').map(({ message }) => message)).toEqual(['bad THING']);
});

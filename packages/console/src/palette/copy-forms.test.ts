import { expect, test } from 'vitest';
import { usualFilters } from '../sessions/filters.ts';
import { type Place, pageAt } from '../shell/address.ts';
import { copyForms, idShown } from './copy-forms.ts';

const access = { origin: 'http://127.0.0.1:4747', token: 'tok' };
const forms = (place: Place) => Object.fromEntries(Object.entries(copyForms(place, false, 0)).map(([form, make]) => [form, make(access)]));

test('a session by three other ways, with server and token', () => {
  const { curl, cli, typescript } = forms({ kind: 'session', id: 'ses_1' });
  expect(curl).toContain("'http://127.0.0.1:4747/api/v1/agent-sessions/ses_1/snapshot'");
  expect(curl).toContain('Bearer tok');
  expect(cli).toMatch(/TURNKEEPER_TOKEN='tok' npx turnkeeper chat ses_1$/);
  expect(typescript).toContain('createClient({ baseUrl: "http://127.0.0.1:4747", token: "tok" })');
  expect(typescript).toContain('await client.sessions.snapshot("ses_1")');
});

test('a list is copied as it is filtered', () => {
  const { curl, cli, typescript } = forms({ kind: 'sessions', filters: { ...usualFilters, q: 'tea & cake', status: 'all', owner: 'all' } });
  expect(curl).toContain('/agent-sessions?status=all&order=updated&q=tea+%26+cake');
  expect(cli).toMatch(/ls --status all --query 'tea & cake'$/);
  expect(typescript).toContain('client.sessions.list({"status":"all","order":"updated","q":"tea & cake"})');
});

test('a turn by its id; what has no other way has none', () => {
  expect(forms(pageAt('turn', { session: 'ses_1', turn: 'turn_1' }))['curl']).toContain('/agent-sessions/ses_1/turns/turn_1');
  expect(idShown(pageAt('turn', { session: 'ses_1', turn: 'turn_1' }))).toBe('turn_1');
  expect(forms({ kind: 'new' })).toEqual({});
  expect(idShown(pageAt('usage'))).toBeUndefined();
});

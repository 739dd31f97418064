import { expect, test } from 'vitest';
import { addressOf, pageAt, placeOf } from './address.ts';

test('an address of no page is none, and stays what it is', () => {
  expect(placeOf('/nosuchpage', '?a=1')).toEqual({ kind: 'nowhere', path: '/nosuchpage' });
  expect(placeOf('/now/more', '')).toEqual({ kind: 'nowhere', path: '/now/more' });
  expect(addressOf({ kind: 'nowhere', path: '/nosuchpage' })).toBe('/nosuchpage');
});

test('the root, with and without what it shows, and the pages are found', () => {
  expect(placeOf('/', '')).toEqual({ kind: 'start' });
  expect(placeOf('/index.html', '')).toEqual({ kind: 'start' });
  expect([placeOf('/', '?new'), placeOf('/new', '')]).toEqual([{ kind: 'new' }, { kind: 'new' }]);
  expect(placeOf('/new', '?target=agent:a')).toEqual({ kind: 'new', target: 'agent:a' });
  expect(placeOf('/', '?session=ses_1&turn=t')).toEqual({ kind: 'session', id: 'ses_1', query: { turn: 't' } });
  expect(placeOf('/usage/', '?by=day')).toEqual(pageAt('usage', { by: 'day' }));
});

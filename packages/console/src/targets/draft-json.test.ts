import { expect, test } from 'vitest';
import { faultsWithin, lineOf, readDraft } from './draft-json.ts';

test('a fault is found on its line, as far as the text is laid out as it was given', () => {
  const text = JSON.stringify({ model: 'x', tools: [{ name: 'a' }, { name: 'b/c', 'd/e': 1 }] }, null, 2);
  const line = (pointer: string): string | undefined => text.split('\n')[(lineOf(text, pointer) ?? 0) - 1]?.trim();
  expect([line('/model'), line('/tools/1/name'), line('/tools/1/d~1e'), line('')]).toEqual(['"model": "x",', '"name": "b/c",', '"d/e": 1', '{']);
  expect([lineOf(text, '/none'), lineOf('{"model":1}', '/model'), lineOf('{', '/a')]).toEqual([undefined, undefined, undefined]);
  expect(faultsWithin([{ pointer: '/definition/tools', detail: 'd' }], '/definition')).toEqual([{ pointer: '/tools', detail: 'd' }]);
  expect([readDraft('{"a":1}').value, readDraft('[1]').value, readDraft('{\n x').line]).toEqual([{ a: 1 }, undefined, 2]);
});

import { expect, test } from 'vitest';
import { createFormKey, sealValues } from './form-sealing.ts';

const values = { user: 'ann', token: 'hunter2', rooms: ['a', 'ü😀'] };

test('FV1 what is sealed for a form is opened by its run, and by no other key', () => {
  const [mine, theirs] = [createFormKey(), createFormKey()];
  const sealed = sealValues(mine.answerKey, 'act_1', values);
  expect(sealed).not.toContain('hunter2');
  expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('hunter2');
  expect(mine.open('act_1', sealed)).toEqual(values);
  expect(theirs.open('act_1', sealed)).toBeUndefined();
  expect(sealValues(mine.answerKey, 'act_1', values)).not.toBe(sealed);
});

test('FV2 it opens as no other form’s, and not when it was changed', () => {
  const key = createFormKey();
  const sealed = sealValues(key.answerKey, 'act_1', values);
  expect(key.open('act_2', sealed)).toBeUndefined();
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (const at of [0, 40, 50, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(key.open('act_1', `v1.${changed.toString('base64url')}`)).toBeUndefined();
  }
  for (const other of ['', 'v1.', 'v1.AAAA', sealed.replace('v1', 'v2')]) expect(key.open('act_1', other)).toBeUndefined();
});

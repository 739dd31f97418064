import type { MinitoolShow, ShowContent } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { expect, test } from 'vitest';
import { answerOf, choicesOf, type DialogContent, dismissalOf, fieldsOf, mainOf } from './dialog-answer.ts';
import { dialogOf, mayHush, noShows, type ShowsChange, toastsOf, withChange } from './shows-state.ts';

const toast: ShowContent = { kind: 'toast', title: 'T', description: null, variant: 'info', actionLabel: 'Undo', durationMs: 5_000 };
const confirm: DialogContent = { kind: 'confirm', title: 'C', description: null, message: null, confirmLabel: null, cancelLabel: 'Not now', variant: 'danger' };
const show = (id: string, content: ShowContent = toast, minitoolId = 'notes'): MinitoolShow => ({
  id,
  minitool: { id: minitoolId, name: minitoolId },
  at: 0,
  leftMs: 5_000,
  content,
});
const after = (...changes: readonly ShowsChange[]) => changes.reduce(withChange, noShows);
const shown = (...args: Parameters<typeof show>): ShowsChange => ({ type: 'shown', show: show(...args) });
const ids = (shows: readonly { readonly id: string }[]) => shows.map(({ id }) => id);

test('the newest toasts are seen, and dialogs one at a time, the oldest first', () => {
  const state = after(...['a', 'b', 'c', 'd', 'e'].map((id) => shown(id)), shown('x', confirm), shown('y', confirm));
  expect([ids(toastsOf(state)), dialogOf(state)?.id]).toEqual([['b', 'c', 'd', 'e'], 'x']);
  expect(dialogOf(withChange(state, { type: 'closed', id: 'x', reason: 'answered' }))?.id).toBe('y');
});

test('what expires while it is looked at stays without its button; dialogs and what was answered go', () => {
  const state = after(shown('a'), shown('b'), shown('x', confirm), ...(['a', 'x'] as const).map((id) => ({ type: 'closed', id, reason: 'expired' }) as const), {
    type: 'closed',
    id: 'b',
    reason: 'answered',
  });
  expect([toastsOf(state).map(({ id, over }) => [id, over]), dialogOf(state)]).toEqual([[['a', true]], undefined]);
});

test('what was left here does not come back with the next connection, what the server has forgotten goes', () => {
  const state = after(shown('a'), shown('b'), shown('x', confirm), { type: 'left', id: 'a', isUnwanted: false });
  const again = withChange(state, { type: 'now', shows: [show('a'), show('x', confirm), show('c')] });
  expect([ids(toastsOf(again)), dialogOf(again)?.id]).toEqual([['c'], 'x']);
  expect(withChange(again, { type: 'closed', id: 'a', reason: 'expired' }).gone.size).toBe(0);
});

test('whoever dismissed a dialog of it may have no more of it; others go on', () => {
  const first = after(shown('x', confirm));
  expect(mayHush(first, show('x', confirm))).toBe(false);
  const answered = withChange(first, { type: 'left', id: 'x', isUnwanted: false });
  expect(mayHush(answered, show('y', confirm))).toBe(false);
  const unwanted = [shown('y', confirm), { type: 'left', id: 'y', isUnwanted: true } as const, shown('z', confirm), shown('t'), shown('o', toast, 'other')];
  const second = unwanted.reduce(withChange, answered);
  expect(mayHush(second, show('z', confirm))).toBe(true);
  const hushed = withChange(second, { type: 'hushed', minitoolId: 'notes' });
  expect([ids(toastsOf(hushed)), dialogOf(hushed)]).toEqual([['o'], undefined]);
});

test('the answers of a dialog: what does it stands last; a secondary one wants nothing filled in', () => {
  expect(choicesOf(confirm).map(({ id, label, variant }) => [id, label, variant])).toEqual([
    ['no', 'Not now', 'secondary'],
    ['yes', null, 'danger'],
  ]);
  const [no, yes] = choicesOf(confirm);
  expect([no && answerOf(confirm, no, {}), yes && answerOf(confirm, yes, {}), dismissalOf(confirm)]).toEqual([
    { confirmed: false },
    { confirmed: true },
    { confirmed: false },
  ]);
  const schema = { type: 'object', properties: { text: { type: 'string' }, level: { enum: ['1'], oneOf: [{ const: '1', title: 'Low' }] } } };
  const actions = [
    { id: 'save', label: 'Save', variant: 'primary' as const },
    { id: 'later', label: 'Later', variant: 'secondary' as const },
  ];
  const modal: DialogContent = { kind: 'modal', title: 'M', description: null, message: null, actions, form: { schema, multiline: ['text'] } };
  const [later, save] = choicesOf(modal);
  if (!later || !save) throw new Error('two are wanted');
  expect([later.id, mainOf([later, save])?.id]).toEqual(['later', 'save']);
  expect([answerOf(modal, save, undefined), answerOf(modal, later, undefined)]).toEqual([undefined, { action: 'later' }]);
  expect([answerOf(modal, save, { text: 'x' }), dismissalOf(modal)]).toEqual([{ action: 'save', values: { text: 'x' } }, { action: 'dismissed' }]);
  expect(fieldsOf(modal)).toMatchObject([
    { name: 'text', multiline: true },
    { name: 'level', optionLabels: { '1': 'Low' } },
  ]);
});

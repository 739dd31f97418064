import type { ApplicationRole } from '@turnkeeper/core/protocol/wire/identity';
import { expect, test } from 'vitest';
import { accessIn, accessTo, type Owner } from './access.ts';

const kinds = ['confirmation', 'question', 'external_execution', 'reconciliation'] as const;
const me = { id: 'usr_1', roles: ['user'] };
const ofMine: Owner = { type: 'user', id: 'usr_1' };
const ofOther: Owner = { type: 'user', id: 'usr_2' };
const ofApp: Owner = { type: 'application', id: 'app_1' };

const seen = (person: typeof me, owner: Owner, roles: readonly ApplicationRole[] = []) => {
  const { control, interact, mayAnswer } = accessTo(person, owner, roles);
  return { control, interact, answers: kinds.filter((kind) => mayAnswer({ kind, approver: 'owner' })) };
};

test('owners do everything; whoever only reads does nothing', () => {
  expect(seen(me, ofMine)).toEqual({ control: true, interact: true, answers: [...kinds] });
  expect(seen(me, ofOther)).toEqual({ control: false, interact: false, answers: [] });
  expect(seen(me, ofApp, ['viewer'])).toEqual({ control: false, interact: false, answers: [] });
});

test('an application’s operators control, its approvers confirm; an admin says what really happened', () => {
  expect(seen(me, ofApp, ['operator'])).toEqual({ control: true, interact: true, answers: ['question', 'external_execution', 'reconciliation'] });
  expect(seen(me, ofApp, ['approver'])).toEqual({ control: false, interact: false, answers: ['confirmation'] });
  expect(seen({ id: 'usr_3', roles: ['admin'] }, ofOther)).toEqual({ control: false, interact: false, answers: ['reconciliation'] });
});

test('what the model was shown is for who controls the session, and for admins', () => {
  const inspects = (person: typeof me, owner: Owner, roles: readonly ApplicationRole[] = []) => accessTo(person, owner, roles).inspect;
  expect([inspects(me, ofMine), inspects(me, ofApp, ['operator']), inspects({ id: 'usr_3', roles: ['admin'] }, ofOther)]).toEqual([true, true, true]);
  expect([inspects(me, ofOther), inspects(me, ofApp, ['viewer', 'approver'])]).toEqual([false, false]);
});

test('a list of approvers names those and nobody else', () => {
  const action = { kind: 'confirmation', approver: ['usr_2'] } as const;
  expect(accessTo(me, ofMine, []).mayAnswer(action)).toBe(false);
  expect(accessTo({ id: 'usr_2', roles: [] }, ofMine, []).mayAnswer(action)).toBe(true);
});

test('what a mini-tool owns is its people’s own, and nobody else’s', () => {
  const ofTool: Owner = { type: 'minitool', id: 'bot' };
  expect(accessTo(me, ofTool, [], true)).toMatchObject({ control: true, manage: true, interact: true });
  expect(accessTo(me, ofTool, [])).toMatchObject({ control: false, manage: false });
  expect([accessTo(me, ofOther, [], true).control, accessTo(me, ofApp, [], true).control]).toEqual([false, false]);
});

test('an application of the same id as a person is not that person', () => {
  expect(accessTo(me, { type: 'application', id: 'usr_1' }, []).control).toBe(false);
});

test('a record is named, archived and deleted by its owner, and nothing else is done in it', () => {
  const own = accessTo(me, ofMine, []);
  const { mayAnswer, ...record } = accessIn({ imported: true }, own);
  expect(record).toEqual({ control: false, manage: true, interact: false, inspect: false });
  expect(kinds.some((kind) => mayAnswer({ kind, approver: 'owner' }))).toBe(false);
  expect(accessIn({ imported: true }, accessTo(me, ofOther, [])).manage).toBe(false);
  expect(accessIn({}, own)).toBe(own);
});

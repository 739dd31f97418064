/** What mini-tools show: who is there, what is kept of it, and how each ends (SZ1–SZ4). */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ShowEnd } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { expect, test } from 'vitest';
import type { Show } from '../../ports/minitool-shows.ts';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { settle } from '../../testing/harness/settle.ts';
import { mostAtOnce, mostShown, type ShowAsker, ShowRoom } from './show-room.ts';

const open = () => {
  const clock = new ManualClock();
  let made = 0;
  const next = (prefix: string): string => {
    made += 1;
    return `${prefix}_${made}`;
  };
  const room = new ShowRoom({ clock, ids: { next } });
  const console = (...ids: readonly string[]) => {
    const shown: Show[] = [];
    const closed: [id: string, reason: ShowEnd][] = [];
    const leave = room.watch({
      maySee: (id) => ids.includes(id),
      shown: (show) => shown.push(show),
      closed: (id, reason) => closed.push([id, reason]),
    });
    return { shown, closed, leave, last: () => shown.at(-1)?.id ?? '' };
  };
  const logged: string[] = [];
  const asker = (id = 'notes', signal = new AbortController().signal): ShowAsker => ({
    id,
    manifest: { name: { default: 'Notes', 'zh-CN': '笔记' } },
    signal,
    log: (_, text) => void logged.push(text),
  });
  const show = (kind: 'toast' | 'confirm' | 'modal', options: JsonObject, by = asker()) => room.show(by, { kind, options });
  return { clock, room, console, asker, show, logged };
};

test('SZ2 with nobody there it is dismissed at once, also where only those are there who may not see it', async () => {
  const { console, show, clock } = open();
  expect(await show('confirm', { title: 'Sure?' })).toBeUndefined();
  const stranger = console('other');
  expect(await show('modal', { title: 'Sure?' })).toBeUndefined();
  const left = console('notes');
  left.leave();
  expect(await show('toast', { title: 'Hi' })).toBeUndefined();
  expect([stranger.shown, left.shown, clock.waiting]).toEqual([[], [], 0]);
});

test('SZ3 two consoles see it under its name; the first answer counts, and it goes away in both', async () => {
  const { room, console, show, clock } = open();
  const [one, two] = [console('notes'), console('notes', 'other')];
  const asked = show('confirm', { title: 'Sure?', variant: 'danger' });
  await settle();
  expect(one.shown).toEqual(two.shown);
  expect(one.shown[0]).toMatchObject({ minitoolId: 'notes', names: { 'en-US': 'Notes', 'zh-CN': '笔记' }, content: { title: 'Sure?', variant: 'danger' } });
  expect(room.open({ maySee: (id) => id === 'notes' })).toEqual(one.shown);
  expect(room.open({ maySee: () => false })).toEqual([]);
  expect(room.answer(one.last(), { confirmed: true })).toBe(true);
  expect(room.answer(one.last(), { confirmed: false })).toBe(false);
  expect(await asked).toEqual({ confirmed: true });
  expect([one.closed, two.closed]).toEqual([[[one.last(), 'answered']], [[one.last(), 'answered']]]);
  expect(room.find(one.last())).toEqual({ minitoolId: 'notes', show: undefined });
  expect([room.find('show_other'), clock.waiting]).toEqual([undefined, 0]);
});

test('SZ3 toasts are over with their time, dialogs after ten minutes; whoever comes meanwhile sees them', async () => {
  const { room, console, show, clock } = open();
  const seen = console('notes');
  const toasts = [show('toast', { title: 'Short' }), show('toast', { title: 'Long', durationMs: 3_600_000, action: { label: 'Undo' } })];
  const dialog = show('modal', { title: 'Which?' });
  await settle();
  seen.leave();
  const titles = () => room.open({ maySee: () => true }).map(({ content }) => content.title);
  await clock.advance(4_999);
  expect(titles()).toEqual(['Short', 'Long', 'Which?']);
  await clock.advance(1);
  expect(titles()).toEqual(['Long', 'Which?']);
  await clock.advance(55_000);
  expect(titles()).toEqual(['Which?']);
  expect(await Promise.all(toasts)).toEqual([undefined, undefined]);
  const late = console('notes');
  await clock.advance(540_000);
  expect(late.closed).toEqual([[expect.any(String), 'expired']]);
  expect(await dialog).toBeUndefined();
});

test('SZ3 a request that is taken back, or a process that ends, takes with it what it shows', async () => {
  const { room, console, show, asker, clock } = open();
  const seen = console('notes');
  const [taken, ends] = [new AbortController(), new AbortController()];
  const asked = [
    show('modal', { title: 'A' }, asker('notes', taken.signal)),
    show('confirm', { title: 'B' }, asker('notes', ends.signal)),
    show('toast', { title: 'C' }, asker('notes', ends.signal)),
  ];
  await settle();
  taken.abort();
  expect(seen.closed).toEqual([[seen.shown[0]?.id, 'withdrawn']]);
  ends.abort();
  expect(await Promise.all(asked)).toEqual([undefined, undefined, undefined]);
  expect(seen.closed.map(([, reason]) => reason)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
  expect([room.open({ maySee: () => true }), clock.waiting]).toEqual([[], 0]);
  expect(await show('toast', { title: 'D' }, asker('notes', ends.signal))).toBeUndefined();
  expect(seen.shown).toHaveLength(3);
});

test('SZ4 of one mini-tool so many at most: the oldest toast makes way; where all are dialogs what comes is dismissed', async () => {
  const { console, show, asker, clock, room } = open();
  const seen = console('notes', 'other');
  void show('toast', { title: 'oldest', durationMs: 60_000 });
  for (let shown = 1; shown < mostShown; shown += 1) {
    void show('modal', { title: `${shown}` });
    await clock.advance(500);
  }
  expect(seen.closed).toEqual([]);
  void show('confirm', { title: 'in its place' });
  await settle();
  expect(seen.closed).toEqual([[seen.shown[0]?.id, 'expired']]);
  await clock.advance(500);
  expect(await show('toast', { title: 'no room' })).toBeUndefined();
  void show('toast', { title: 'another has room' }, asker('other'));
  await settle();
  expect(room.open({ maySee: () => true })).toHaveLength(mostShown + 1);
});

test('SZ4 what comes faster than anybody reads is dismissed, and said once', async () => {
  const { console, show, asker, clock, logged } = open();
  const seen = console('notes', 'other');
  for (let each = 0; each < mostAtOnce + 20; each += 1) void show('toast', { title: 'x' });
  await settle();
  expect([seen.shown.length, logged.length]).toEqual([mostAtOnce, 1]);
  void show('toast', { title: 'y' }, asker('other'));
  await clock.advance(1_000);
  void show('toast', { title: 'z' });
  await settle();
  expect(seen.shown.slice(mostAtOnce).map(({ content }) => content.title)).toEqual(['y', 'z']);
});

test('SZ1 texts that are too long are cut; what is no dialog is refused by its place, whoever is there', async () => {
  const { console, show } = open();
  await expect(show('toast', { title: ' ' })).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('/title') });
  const seen = console('notes');
  void show('toast', { title: '👩‍👩‍👧'.repeat(2_000), variant: 'promise', durationMs: 1 });
  await settle();
  const content = seen.shown[0]?.content;
  expect(content).toMatchObject({ variant: 'default', durationMs: 1_000, description: null, actionLabel: null });
  expect([...(content?.title ?? '')].length).toBeLessThanOrEqual(300);
  const field = { key: 'a', label: 'A', type: 'text' };
  const options = Array.from({ length: 200 }, (_, at) => ({ value: `${at}-${'v'.repeat(900)}`, label: 'l' }));
  const faulty: readonly (readonly [told: string, fields: readonly JsonObject[]])[] = [
    ['keys must differ', [field, field]],
    ['/fields/0/options', [{ ...field, type: 'select' }]],
    ['bytes', [{ ...field, type: 'select', options }]],
  ];
  for (const [told, fields] of faulty)
    await expect(show('modal', { title: 'T', fields: fields as unknown as JsonObject[] })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(told),
    });
  await expect(
    show('modal', {
      title: 'T',
      actions: [
        { id: 'a', label: 'A' },
        { id: 'a', label: 'B' },
      ],
    }),
  ).rejects.toThrow('ids must differ');
  expect(seen.shown).toHaveLength(1);
});

test('a dialog with fields: what is filled in comes as the mini-tool knows it, and one button takes it', async () => {
  const { room, console, show } = open();
  const seen = console('notes');
  const fields: readonly JsonObject[] = [
    { key: 'text', label: 'Text', type: 'textarea', required: true },
    { key: 'tags', label: 'Tags', type: 'multiselect', options: [{ value: 'a', label: 'A' }] },
    { key: 'pin', label: 'Pin', type: 'password', default: 'not told' },
  ];
  const actions = [
    { id: 'save', label: 'Save' },
    { id: 'later', label: 'Later' },
  ];
  const asked = show('modal', { title: 'Note', fields, actions });
  await settle();
  expect(seen.shown[0]?.content).toMatchObject({
    actions: [
      { id: 'save', variant: 'primary' },
      { id: 'later', variant: 'secondary' },
    ],
    form: { multiline: ['text'], schema: { required: ['text'], properties: { text: { title: 'Text' }, pin: { format: 'password' } } } },
  });
  expect(JSON.stringify(seen.shown)).not.toContain('not told');
  room.answer(seen.last(), { action: 'save', values: { text: 'x' } });
  expect(await asked).toEqual({ action: 'save', values: { text: 'x', tags: [] } });
  void show('modal', { title: 'Plain' });
  await settle();
  expect(seen.shown[1]?.content).toMatchObject({ actions: [{ id: 'ok', label: null, variant: 'primary' }], form: null });
});

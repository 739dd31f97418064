import { callAsksForm, callReports, callRuns, runBegins, turnCompletes, userSays } from '@turnkeeper/client/testing/turn-script';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import { expect, test, vi } from 'vitest';
import { cellWidth, cutToWidth } from '../output/cell-width.ts';
import { createStyle } from '../output/style.ts';
import { wrapText } from '../output/wrap-text.ts';
import { cardLines } from './card-lines.ts';
import { type Editor, edited, editorRows, emptyEditor, sent, withText } from './editor.ts';
import { frameOf } from './frame.ts';
import { type Key, KeyDecoder } from './keys.ts';
import { betweenEnds, cutLine, lineOf, lineWidth, paintLine, span, textOfLine } from './line.ts';
import type { ScreenModel } from './model.ts';
import { QuestionCard } from './question-card.ts';
import { createTimelineLines } from './timeline-lines.ts';

test('cells: East Asian text and emoji take two, marks none; what is cut never takes more than there is', () => {
  for (const [text, width] of [
    ['abc', 3],
    ['标题x', 5],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['❤', 1],
    ['e\u0301', 1],
    ['⚙✓…─', 4],
    ['한글', 4],
    ['🇩🇪', 2],
    ['\u200b', 0],
  ] as const)
    expect(cellWidth(text), text).toBe(width);
  expect(cutToWidth('标题标题', 5)).toBe('标题…');
  expect(cutToWidth('abc', 3)).toBe('abc');
  for (const width of [4, 7, 20]) {
    expect(lineWidth(cutLine([...lineOf('标题标题'), ...lineOf('abcdef')], width))).toBeLessThanOrEqual(width);
    expect(lineWidth(betweenEnds(lineOf('a very long title 标题'), lineOf('idle'), width))).toBe(width);
  }
});

test('text wraps between words, East Asian text anywhere, a word without end where the row ends', () => {
  expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrapText('  indented text\n\nx', 10)).toEqual(['  indented', 'text', '', 'x']);
  expect(wrapText('这是一个很长的句子', 8)).toEqual(['这是一个', '很长的句', '子']);
  expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrapText('\tx', 20)).toEqual(['    x']);
  for (const row of wrapText('混合 mixed 文字 with words, 还有标点。'.repeat(9), 13)) expect(cellWidth(row)).toBeLessThanOrEqual(13);
});

const keysOf = (...pieces: readonly (string | Buffer)[]): Key[] => {
  const keys: Key[] = [];
  const decoder = new KeyDecoder((key) => keys.push(key));
  for (const piece of pieces) decoder.feed(piece);
  decoder.close();
  return keys;
};
const named = (name: string) => ({ kind: 'named', name });

test('keys, however the bytes are cut; what is pasted is text, whatever stands in it', () => {
  expect(keysOf('a\r\u001b[A\u001b[5~\u001bOP\u001b\r\u0003')).toEqual([
    { kind: 'text', text: 'a' },
    ...['enter', 'up', 'pageup', 'help', 'newline'].map(named),
    { kind: 'ctrl', letter: 'c' },
  ]);
  const wide = Buffer.from('文');
  expect(keysOf(wide.subarray(0, 1), wide.subarray(1))).toEqual([{ kind: 'text', text: '文' }]);
  expect(keysOf('\u001b[<64;', '10;5M\u001b[<0;1;1M')).toEqual([named('wheelup')]);
  expect(keysOf('\u001b[200~y\r\u001b[31m\u0003', '!\u001b[20', '1~z')).toEqual([
    { kind: 'paste', text: 'y\n[31m!' },
    { kind: 'text', text: 'z' },
  ]);
  expect(keysOf('\u001b[999X\u001bq')).toEqual([named('escape'), { kind: 'text', text: 'q' }]);
});

test('Esc is a key once nothing follows it', () => {
  vi.useFakeTimers();
  try {
    const keys: Key[] = [];
    const decoder = new KeyDecoder((key) => keys.push(key));
    decoder.feed('\u001b');
    expect(keys).toEqual([]);
    vi.advanceTimersByTime(60);
    expect(keys).toEqual([named('escape')]);
  } finally {
    vi.useRealTimers();
  }
});

const typed = (editor: Editor, ...texts: readonly string[]): Editor => keysOf(...texts).reduce<Editor>((before, key) => edited(before, key) ?? before, editor);

test('a line is edited, may have several lines, and comes back from the history', () => {
  expect(typed(emptyEditor(), 'one two', '\u0017', 'x').text).toBe('one x');
  expect(typed(emptyEditor(), 'ab👩‍👩‍👧', '\u007f', '\u001b[D', 'c').text).toBe('acb');
  expect(typed(emptyEditor(), 'one\ntwo', '\u001b[A', '!').text).toBe('one!\ntwo');
  const twice = sent(withText(sent(withText(emptyEditor(), 'first')), 'second'));
  expect(typed(twice, 'new', '\u001b[A').text).toBe('second');
  expect(typed(twice, 'new', '\u001b[A', '\u001b[A').text).toBe('first');
  expect(typed(twice, 'new', '\u001b[A', '\u001b[B').text).toBe('new');
  expect(editorRows(withText(emptyEditor(), '标题标题'), 4)).toEqual({ rows: ['标题', '标题', ''], row: 2, column: 0 });
});

const events: SessionEvent[] = [
  ...userSays('turn_1', 1, 'hi'),
  ...runBegins('turn_1', 'hi \u001b[2Jthere'),
  {
    type: 'item.completed',
    data: {
      turn_id: 'turn_1',
      run_id: 'run_turn_1',
      item_id: 'item_2',
      model_call_id: 'call_1',
      item: {
        id: 'item_2',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'A \u001b]0;title\u0007long answer 世界 '.repeat(6) }],
        status: 'completed',
      },
      final_output: true,
    },
  },
  ...turnCompletes('turn_1', 'x'),
  ...userSays('turn_2', 2, 'later'),
];
const eventView = (list: readonly SessionEvent[]): SessionView =>
  list.reduce<SessionView>(
    (view, { type, data }, at) =>
      applyEvent(view, { schema_version: 1, id: `evt_${at}`, type, session_id: 'ses_1', created_at: 1_000 + at, cursor: `c${at}`, data }),
    emptyView({ id: 'ses_1', status: 'idle', archived: false, title: 'A title' }, 'c'),
  );
const model = (change: Partial<ScreenModel> = {}): ScreenModel => ({
  mode: 'chat',
  title: 'A title',
  target: 'Clerk · demo',
  sessionId: 'ses_1',
  view: eventView(events),
  connection: { kind: 'live' },
  outbox: [],
  stopping: false,
  card: undefined,
  focus: 'message',
  editor: emptyEditor(),
  notice: '',
  help: false,
  mouse: true,
  scroll: 0,
  ...change,
});

test('a frame fills the window exactly, and nothing that was said steers the terminal', () => {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [40, 12],
  ] as const) {
    for (const change of [
      {},
      { help: true },
      { scroll: 3 },
      { editor: withText(emptyEditor(), '长'.repeat(400)) },
      { view: undefined, sessionId: undefined },
    ]) {
      const { rows: lines, cursor } = frameOf(model(change), { columns, rows }, createTimelineLines());
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      if (cursor) expect(cursor.row).toBeLessThan(rows);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
      expect(lines.map(textOfLine).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    }
  }
  const text = frameOf(model(), { columns: 80, rows: 24 }, createTimelineLines()).rows.map(textOfLine).join('\n');
  expect(text).toMatch(/^A title +queued · live\n/);
  expect(text).toMatch(/› hi \[2Jthere\n {2}A \]0;titlelong answer 世界[\s\S]*✓ completed[\s\S]*… queued, next: later/);
});

test('nothing but a look becomes an escape sequence, whatever a row holds', () => {
  const style = createStyle({ isTTY: true, write: () => {} }, {});
  expect(paintLine([span('a\u001b[2J\nb'), span('\u009bc', 'red')], style)).toBe('a[2J b\u001b[31mc\u001b[39m');
});

test('steps stand between what was asked and what came of it; data is shown as JSON; a child of a step is not told twice', () => {
  const step = (key: string, more: object): SessionEvent =>
    ({
      type: 'step.updated',
      data: { turn_id: 'turn_1', step_id: `step_${key}`, key, type: 'agent', status: 'succeeded', attempt: 1, ...more },
    }) as SessionEvent;
  const message = (id: string, role: 'user' | 'assistant', content: object): SessionEvent =>
    ({
      type: 'item.completed',
      data: { turn_id: 'turn_1', run_id: 'run_1', item_id: id, item: { id, type: 'message', role, content: [content], status: 'completed' } },
    }) as SessionEvent;
  const child = { turn_id: 'turn_1', child_session_id: 'ses_c', child_turn_id: 'turn_c', name: 'write:1', agent_id: 'a', path: 'write:1' };
  const view = eventView([
    ...userSays('turn_1', 1, 'x'),
    message('item_1', 'user', { type: 'data', data: { order: 4711 } }),
    step('write', { status: 'running', child_session_id: 'ses_c' }),
    { type: 'subagent.started', data: child } as unknown as SessionEvent,
    step('write', { child_session_id: 'ses_c' }),
    step('each', { type: 'map', status: 'running', map: { total: 9, parallel: 2, begun: 4, ended: 3, failed: 1 } }),
    step('each.0', { status: 'failed', error_code: 'model_error', attempt: 2 }),
    message('item_2', 'assistant', { type: 'text', text: 'All is well.' }),
  ]);
  const rows = createTimelineLines()(view, 80).map(textOfLine);
  expect(rows.slice(0, 5)).toEqual([
    '› {"order":4711}',
    expect.stringMatching(/^ {2}✓ write {2}agent · succeeded · /),
    '  ● each  map · running · 3 of 9, 1 failed',
    expect.stringMatching(/^ {4}✗ each\.0 {2}agent · failed: model_error · try 2/),
    '  All is well.',
  ]);
  expect(rows.join('\n')).not.toContain('↳');
});

test('what has not changed is not wrapped again', () => {
  const timeline = createTimelineLines();
  const view = eventView(events);
  const [first, second] = [timeline(view, 60), timeline({ ...view, as_of: 'later' }, 60)];
  expect(second.length).toBe(first.length);
  // Rows of text are the same objects; the empty rows between turns are one.
  expect(second.every((line, at) => line === first[at])).toBe(true);
  expect(timeline(view, 40).length).toBeGreaterThan(first.length);
});

const asked = (): { card: QuestionCard; chosen: () => string | undefined } => {
  let chosen: string | undefined;
  const action = {
    turn_id: 't',
    request_id: 'act_1',
    kind: 'confirmation',
    version: 1,
    status: 'open',
    created_at: 1,
    answer_schema: {},
    approver: 'owner',
  } as const;
  const card = new QuestionCard(action, { onChange: () => {}, edit: undefined });
  void card.dialogue.choose?.('[y]es [n]o', ['y', 'n']).then((choice) => {
    chosen = choice;
  });
  return { card, chosen: () => chosen };
};
const text = (letters: string): Key => ({ kind: 'text', text: letters });

test('QC1: a key answers only where nothing else can be meant', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const early = asked();
    expect(early.card.onKey(text('y'))).toEqual({ kind: 'message', text: 'y' });
    await vi.advanceTimersByTimeAsync(500);
    expect(early.card.onKey({ kind: 'paste', text: 'y' })).toEqual({ kind: 'message', text: 'y' });
    expect(early.card.onKey(text('yes, but'))).toEqual({ kind: 'message', text: 'yes, but' });
    expect(early.card.onKey(text('q'))).toEqual({ kind: 'message', text: 'q' });
    expect(early.card.onKey(text('y'))).toEqual({ kind: 'taken' });
    expect(early.card.onKey(text('esterday'))).toEqual({ kind: 'message', text: 'yesterday' });
    await vi.advanceTimersByTimeAsync(500);
    expect(early.chosen()).toBeUndefined();
    early.card.onKey(text('n'));
    await vi.advanceTimersByTimeAsync(300);
    expect(early.chosen()).toBe('n');
    const whole = asked();
    expect(whole.card.answersLine('of course')).toBe(false);
    expect(whole.card.answersLine(' YES')).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(whole.chosen()).toBe('y');
  } finally {
    vi.useRealTimers();
  }
});

test('a call that runs stands with how far it is; while it asks for a form the header says who is waited for', () => {
  const running = [...userSays('turn_1', 1, 'x'), ...runBegins('turn_1', 'x'), ...callRuns('turn_1', 'bot_connect')];
  const told = [...running, callReports('turn_1', { message: 'page 9 of 20', stage: 'fetch', percent: 45 })];
  const rowsOf = (list: readonly SessionEvent[]) =>
    frameOf(model({ view: eventView(list) }), { columns: 80, rows: 24 }, createTimelineLines()).rows.map(textOfLine);
  expect(rowsOf(told).join('\n')).toContain(`⚙ bot_connect()  running\n    ${'━'.repeat(9)}${'─'.repeat(11)}  fetch · page 9 of 20 · 45 %\n`);
  expect(rowsOf(told)[0]).toMatch(/running · live$/);
  const asking = rowsOf([...told, callAsksForm('turn_1', 'bot_connect', { title: 'Connect', schema: {} }, { minitool: 'bot', destructive: true })]);
  expect(asking[0]).toMatch(/waiting for an answer · live$/);
  expect(asking.join('\n')).toMatch(/\? bot_connect\(\) {2}waits for an answer\n {4}CANNOT BE UNDONE: form: Connect — from the mini-tool “bot” \(bot\)/);
  expect(asking.join('\n')).not.toContain('page 9');
});

test('a card says first what its tool warns of, in red; a secret is typed as dots', () => {
  const { card } = asked();
  const warning = {
    ...card.action,
    tool_call: { id: 'c', name: 'bot_wipe', input: {} },
    tool_note: { title: 'Wipe', minitool: 'bot', dangerous: true, destructive: true },
  } as const;
  const warned = new QuestionCard(warning, { onChange: () => {}, edit: undefined });
  void warned.dialogue.ask('Key:', { hidden: true });
  warned.onKey(text('hunter2'));
  const drawn = cardLines(warned.card, 100, 20, true);
  const words = drawn.lines.map(textOfLine);
  expect(words.join(' ').replaceAll(/ ?┃ /g, ' ')).toContain('? CANNOT BE UNDONE, HIGH RISK: may bot_wipe() run? — “Wipe”, from the mini-tool “bot” (bot)');
  expect(drawn.lines[0]?.some(({ look }) => look === 'red')).toBe(true);
  expect(words.at(-1)).toBe('┃ › •••••••');
  expect(drawn.cursor?.column).toBe(11);
  warned.close();
});

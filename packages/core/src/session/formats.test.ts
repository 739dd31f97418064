import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { checkedFormats, type Format, type Formats, formatOfState, newestRead, readRow, readState, writtenEvent, writtenState } from './formats.ts';
import type { TurnId } from './ids.ts';
import { emptyState, type SessionState } from './state.ts';

const renamed = (from: string, to: string) => {
  const move = (a: string, b: string) => (value: JsonObject) => {
    const { [a]: moved, ...rest } = value;
    return moved === undefined ? value : { ...rest, [b]: moved };
  };
  return { up: move(from, to), down: move(to, from) };
};

const second: Format = { v: 2, events: { greeted: renamed('text', 'words') }, state: renamed('queue', 'line') };
const third: Format = { v: 3, events: { greeted: renamed('words', 'sentences'), left: renamed('why', 'reason') } };
const first: Formats = { changes: [], writes: 1 };
const both: Formats = checkedFormats({ changes: [second, third], writes: 3 });

describe('formats of events', () => {
  it('FM1 only a type that a format changed bears its number, the newest one that does', () => {
    const greeted = { type: 'greeted', data: { sentences: 'hi' } };
    expect(writtenEvent(both, 1, greeted)).toEqual({ type: 'greeted', data: '{"text":"hi"}' });
    expect(writtenEvent(both, 2, greeted)).toEqual({ type: 'greeted@2', data: '{"words":"hi"}' });
    expect(writtenEvent(both, 3, greeted)).toEqual({ type: 'greeted@3', data: '{"sentences":"hi"}' });
    expect(writtenEvent(both, 2, { type: 'left', data: { reason: 'x' } })).toEqual({ type: 'left', data: '{"why":"x"}' });
    expect(writtenEvent(both, 3, { type: 'came', data: {} })).toEqual({ type: 'came', data: '{}' });
  });

  it('reads what any format wrote as what it is now', () => {
    const words = fc.dictionary(fc.constantFrom('sentences', 'reason', 'other'), fc.string());
    fc.assert(
      fc.property(fc.constantFrom('greeted', 'left', 'came'), words, fc.constantFrom(1, 2, 3), (type, data, v) => {
        const read = readRow(both, writtenEvent(both, v, { type, data }));
        expect(read?.type).toBe(type);
        expect(JSON.parse(read?.data ?? '')).toEqual({ ...data });
      }),
    );
  });

  it('leaves a row that no format changed as it is, without looking into it', () => {
    const row = { seq: 1, type: 'came', data: 'not even JSON' };
    expect(readRow(both, row)).toBe(row);
  });

  it('FM3 refuses what is newer than it knows', () => {
    expect(readRow(first, { type: 'greeted@2', data: '{}' })).toBeUndefined();
    expect(readRow(both, { type: 'greeted@4', data: '{}' })).toBeUndefined();
    expect(readRow(both, { type: 'greeted@x', data: '{}' })).toBeUndefined();
  });
});

describe('formats of states', () => {
  it('FM2 the format stands first and is read from the text', () => {
    for (const v of [1, 2, 3]) expect(formatOfState(writtenState(both, v, emptyState))).toBe(v);
    expect(formatOfState(JSON.stringify(emptyState))).toBe(1);
    expect(formatOfState('{"v":12}')).toBe(12);
    expect(formatOfState('{}')).toBe(1);
    expect(formatOfState('{"n":3,"v":9}')).toBe(1);
  });

  it('reads what any format wrote, and keeps its number', () => {
    const old: SessionState = { ...emptyState, turns: 4, queue: [{ id: 'turn_4' as TurnId, n: 4 }] };
    const state = second.state?.up(old as unknown as JsonObject) as unknown as SessionState;
    for (const v of [1, 2, 3]) {
      const text = writtenState(both, v, state);
      expect(text.includes('"line"')).toBe(v > 1);
      expect(readState(both, text)).toEqual({ ...state, v });
    }
    expect(readState(first, writtenState(both, 1, state))).toEqual(old);
    expect(writtenState(first, 1, old)).toBe(JSON.stringify(old));
  });

  it('FM3 refuses what is newer than it knows', () => {
    expect(readState(first, writtenState(both, 2, emptyState))).toBeUndefined();
    expect(readState(both, '{"v":4}')).toBeUndefined();
  });
});

describe('a table', () => {
  it('has its formats in order, changes no delta, and writes what it reads', () => {
    expect(newestRead(first)).toBe(1);
    expect(newestRead(both)).toBe(3);
    expect(() => checkedFormats({ changes: [third], writes: 1 })).toThrow('out of order');
    expect(() => checkedFormats({ changes: [second], writes: 3 })).toThrow('not read');
    const delta: Format = { v: 2, events: { 'item.delta': renamed('a', 'b') } };
    expect(() => checkedFormats({ changes: [delta], writes: 1 })).toThrow('FM4');
  });
});

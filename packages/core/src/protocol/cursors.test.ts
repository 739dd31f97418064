/** K1–K3, and page cursors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, eventIdOf, pageCursorOf, readPageCursor, readTreeCursor, type StreamRef, seqOfCursor, seqOfEventId, treeCursorOf } from './cursors.ts';

const number = fc.maxSafeNat();
const stream: fc.Arbitrary<StreamRef> = fc.oneof(
  fc.record({ kind: fc.constant('session' as const), sid: number }),
  fc.record({ kind: fc.constant('turn' as const), sid: number, turn: number }),
);
const sameStream = (a: StreamRef, b: StreamRef): boolean => JSON.stringify(a) === JSON.stringify(b);
const urlSafe = /^[A-Za-z0-9_~.-]+$/;

describe('a cursor', () => {
  it('names its position in its stream, and is URL-safe', () => {
    fc.assert(
      fc.property(stream, number, (of, seq) => {
        const cursor = cursorOf(of, seq);
        expect(seqOfCursor(of, cursor)).toBe(seq);
        expect(cursor).toMatch(urlSafe);
      }),
    );
  });
  it('is not one of another stream', () => {
    fc.assert(
      fc.property(stream, stream, number, (of, other, seq) => {
        fc.pre(!sameStream(of, other));
        expect(seqOfCursor(other, cursorOf(of, seq))).toBeUndefined();
      }),
    );
    expect(seqOfCursor({ kind: 'turn', sid: 1, turn: 2 }, cursorOf({ kind: 'session', sid: 1 }, 2))).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 1 }, cursorOf({ kind: 'turn', sid: 1, turn: 2 }, 3))).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 1 }, eventIdOf(1, 3))).toBeUndefined();
  });
  it('that was cut anywhere, at either end, is none', () => {
    fc.assert(
      fc.property(stream, number, (of, seq) => {
        const cursor = cursorOf(of, seq);
        for (let at = 0; at < cursor.length; at += 1) {
          expect(seqOfCursor(of, cursor.slice(0, at))).toBeUndefined();
          if (at > 0) expect(seqOfCursor(of, cursor.slice(at))).toBeUndefined();
        }
      }),
    );
  });
  it('that was mistyped is none', () => {
    const of: StreamRef = { kind: 'session', sid: 1 };
    const cursor = cursorOf(of, 5);
    expect(cursor.startsWith('s1-5-')).toBe(true);
    for (const digit of '012346789abcdefghijklmnopqrstuvwxyz') expect(seqOfCursor(of, cursor.replace('-5-', `-${digit}-`)), digit).toBeUndefined();
  });
  it('of an empty log is a cursor too', () => {
    expect(seqOfCursor({ kind: 'session', sid: 1 }, cursorOf({ kind: 'session', sid: 1 }, 0))).toBe(0);
  });
  it('is never random text, nor very long', () => {
    fc.assert(
      fc.property(stream, fc.string({ unit: 'binary' }), (of, text) => {
        expect(seqOfCursor(of, text)).toBeUndefined();
      }),
    );
    expect(seqOfCursor({ kind: 'session', sid: 1 }, 's1-'.repeat(1_000_000))).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 1 }, '')).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 1 }, '42')).toBeUndefined();
  });
  it('has one spelling only', () => {
    const cursor = cursorOf({ kind: 'session', sid: 1 }, 35);
    expect(seqOfCursor({ kind: 'session', sid: 1 }, cursor.toUpperCase())).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 1 }, ` ${cursor}`)).toBeUndefined();
  });
});

describe('an event id', () => {
  it('names the event in its session, and in no other', () => {
    fc.assert(
      fc.property(number, number, number, (sid, other, seq) => {
        expect(seqOfEventId(sid, eventIdOf(sid, seq))).toBe(seq);
        if (other !== sid) expect(seqOfEventId(other, eventIdOf(sid, seq))).toBeUndefined();
        expect(eventIdOf(sid, seq)).toMatch(urlSafe);
      }),
    );
  });
  it('is never random text, nor a cut id', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(seqOfEventId(1, text)).toBeUndefined();
      }),
    );
    expect(seqOfEventId(1, eventIdOf(1, 5).slice(0, -1))).toBeUndefined();
    expect(seqOfEventId(1, cursorOf({ kind: 'session', sid: 1 }, 5))).toBeUndefined();
  });
});

describe('a page cursor', () => {
  it('keeps its list, place and time, whatever the sort key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), number, (after, madeAt) => {
        expect(readPageCursor('items', pageCursorOf('items', after, madeAt))).toEqual({ after, madeAt });
        expect(pageCursorOf('items', after, madeAt)).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
    expect(readPageCursor('items', pageCursorOf('items', 'a~b~c', 5))).toEqual({ after: 'a~b~c', madeAt: 5 });
  });
  it('is none of another list, and no event cursor', () => {
    const cursor = pageCursorOf('items', 'x', 5);
    expect(readPageCursor('tools', cursor)).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 1 }, cursor)).toBeUndefined();
    expect(readPageCursor('items', cursorOf({ kind: 'session', sid: 1 }, 5))).toBeUndefined();
  });
  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readPageCursor('items', text)).toBeUndefined();
      }),
    );
    // Well sealed but not decodable: anyone may compute the check sum.
    const encoded = pageCursorOf('items', '%', 5);
    expect(readPageCursor('items', encoded)).toEqual({ after: '%', madeAt: 5 });
    expect(readPageCursor('items', forged('pitems~%E0%A4%A~5~'))).toBeUndefined();
    expect(() => pageCursorOf('items', '\ud800', 5)).not.toThrow();
  });
});

/** A body with its check sum, found by trying: it guards against mistakes, not against people. */
const forged = (body: string): string => {
  for (let n = 0; n < 36 ** 3; n += 1) {
    const text = `${body}${n.toString(36).padStart(3, '0')}`;
    if (sealed(text)) return text;
  }
  throw new Error('no check sum fits');
};
const sealed = (text: string): boolean => {
  let hash = 0x811c9dc5;
  for (const unit of text.slice(0, -3)) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36).slice(-3).padStart(3, '0') === text.slice(-3);
};

describe('cursors of a stream with children', () => {
  const place = [
    { sid: 7, seq: 12 },
    { sid: 40, seq: 0 },
  ];

  it('hold a place in each session, and are of one top and of no other stream', () => {
    const cursor = treeCursorOf(place);
    expect(readTreeCursor(7, cursor)).toEqual(place);
    expect(readTreeCursor(40, cursor)).toBeUndefined();
    expect(seqOfCursor({ kind: 'session', sid: 7 }, cursor)).toBeUndefined();
    expect(readTreeCursor(7, cursorOf({ kind: 'session', sid: 7 }, 12))).toBeUndefined();
  });

  it('are told from what was cut, mistyped or made up', () => {
    const cursor = treeCursorOf(place);
    for (const broken of ['', 'm', cursor.slice(0, -1), cursor.replace('7', '8'), `${cursor}x`, 'm7.c~x'.padEnd(3_000, '1')])
      expect(readTreeCursor(7, broken), broken).toBeUndefined();
  });
});

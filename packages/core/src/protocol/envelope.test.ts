import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnOf } from '../session/events.ts';
import { turn } from '../testing/commands.ts';
import { eventTypes, sample } from '../testing/samples.ts';
import { cursorOf, eventIdOf, type StreamRef } from './cursors.ts';
import { envelopeOf, envelopeText, type LogRow, loggedEvent } from './envelope.ts';
import { envelopeSchema } from './wire/events.ts';

const streams: readonly StreamRef[] = [
  { kind: 'session', sid: 3 },
  { kind: 'turn', sid: 3, turn: 2 },
];

describe('the text of an envelope', () => {
  it('is the JSON of the envelope, for each event and stream', () => {
    for (const stream of streams) {
      for (const [index, type] of eventTypes.entries()) {
        const event = sample(type, turn('01h"x'.replace('"', '')));
        const turnId = turnOf(event);
        const row: LogRow = { sid: 3, seq: index + 1, turn: turnId === undefined ? 0 : 2, type, at: event.at, data: JSON.stringify(event.data) };
        const envelope = envelopeOf('ses_a', stream, row);
        expect(envelope).toEqual({
          schema_version: 1,
          id: eventIdOf(3, row.seq),
          type,
          session_id: 'ses_a',
          ...(turnId === undefined ? {} : { turn_id: turnId }),
          created_at: event.at,
          cursor: cursorOf(stream, row.seq),
          data: event.data,
        });
        expect(envelopeSchema.safeParse(envelope).success).toBe(true);
        expect(loggedEvent(envelope.type, envelope.created_at, envelope.data)).toEqual(event);
      }
    }
  });
  it('carries any data unchanged, on one line', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (members, at) => {
        const data = JSON.stringify({ turn_id: 'turn_a', ...members, ...('turn_id' in members ? { turn_id: 'turn_a' } : {}) });
        const text = envelopeText('ses_a', streams[0] as StreamRef, { sid: 3, seq: 9, turn: 1, type: 'item.completed', at, data });
        expect(text).not.toMatch(/[\r\n]/);
        expect(JSON.parse(text)).toMatchObject({ turn_id: 'turn_a', created_at: at, data: JSON.parse(data) as object });
      }),
    );
  });
  it('takes the turn from the data’s own member, not from content that names one', () => {
    const data = JSON.stringify({ turn_id: 'turn_a', input: { turn_id: 'turn_evil' } });
    expect(envelopeOf('ses_a', streams[0] as StreamRef, { sid: 3, seq: 9, turn: 1, type: 'tool.requested', at: 5, data }).turn_id).toBe('turn_a');
  });
});

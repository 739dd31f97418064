import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, type SseFrame, sseFrame, sseHeartbeat } from './sse.ts';

const framesOf = (pieces: readonly string[]): readonly SseFrame[] => {
  const frames: SseFrame[] = [];
  const feed = createSseParser((frame) => frames.push(frame));
  for (const piece of pieces) feed(piece);
  return frames;
};
/** The text in pieces, cut at these places. */
const cutAt = (text: string, places: readonly number[]): readonly string[] => {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
};
const word = fc.stringMatching(/^[a-z0-9._-]{1,12}$/);
const frame = fc.record({ id: word, event: word, data: fc.json() });

describe('the SSE parser', () => {
  it('gives back what was framed, wherever the text is cut and whatever ends its lines', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), fc.constantFrom('\n', '\r\n', '\r'), (frames, cuts, end) => {
        const text = `${frames.map(({ id, event, data }) => sseFrame(id, event, data) + sseHeartbeat).join('')}: end\n`.replaceAll('\n', end);
        // With CR alone the last one may be half of a CRLF: what follows decides.
        expect(framesOf([...cutAt(text, cuts), ':'])).toEqual(frames);
      }),
      { numRuns: 500 },
    );
  });
  it('gives the same frames byte by byte', () => {
    const text = ['id: 1\r\nevent: a\r\ndata: {"x":"é"}\r\n\r\n', ': beat\n\n', 'id: 2\revent: b\rdata: 1\rdata: 2\r\r', 'data: z\n\n'].join('');
    const frames = [
      { id: '1', event: 'a', data: '{"x":"é"}' },
      { id: '2', event: 'b', data: '1\n2' },
      { id: '2', event: 'message', data: 'z' },
    ];
    expect(framesOf([text])).toEqual(frames);
    expect(framesOf([...text])).toEqual(frames);
  });
  it('drops comments, unknown fields and frames without data; one space after the colon is not content', () => {
    expect(framesOf([': x\n\nretry: 5\n\nevent: lonely\n\ndata:  two spaces\n\ndata\n\n'])).toEqual([
      { id: undefined, event: 'message', data: ' two spaces' },
      { id: undefined, event: 'message', data: '' },
    ]);
  });
  it('gives nothing of a frame that is not ended', () => {
    expect(framesOf(['id: 1\ndata: {"half":'])).toEqual([]);
    expect(framesOf(['id: 1\ndata: {}\n'])).toEqual([]);
  });
  it('skips a byte order mark at the beginning', () => {
    expect(framesOf(['\ufeffdata: 1\n\n'])).toEqual([{ id: undefined, event: 'message', data: '1' }]);
  });
  it('reads a large frame in many pieces without reading it again and again', () => {
    const text = sseFrame('1', 'item.delta', JSON.stringify('x'.repeat(2_000_000)));
    const pieces = Array.from({ length: Math.ceil(text.length / 1_000) }, (_, n) => text.slice(n * 1_000, (n + 1) * 1_000));
    expect(framesOf(pieces)).toHaveLength(1);
  });
});

/** Items that stream (V2). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text, turn } from '../testing/commands.ts';
import { samplesOf } from '../testing/samples.ts';
import { type ItemBody, itemDelta, itemIncomplete, itemOpened } from './item.ts';

const samples = samplesOf(turn('a'));
const open = itemOpened(samples['item.started']);
const piece = (id: string, content: string, name?: string) => ({ type: 'tool_use', id, content, ...(name === undefined ? {} : { name }) }) as const;
const contentOf = (body: ItemBody) => body.item.content;

describe('an item that streams', () => {
  it('grows by its deltas: text is joined, argument text goes to its call', () => {
    const body = itemDelta(itemDelta(open, [text('he'), text('llo'), piece('c1', '{"a"', 'send'), piece('c2', '', 'read')]), [piece('c1', ':1}'), text('!')]);
    expect(contentOf(body)).toEqual([
      text('hello'),
      { type: 'tool_use', id: 'c1', name: 'send', input: {}, content: '{"a":1}' },
      { type: 'tool_use', id: 'c2', name: 'read', input: {}, content: '' },
      text('!'),
    ]);
  });
  it('is the same however its deltas are joined', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string().map(text),
        fc.tuple(fc.constantFrom('c1', 'c2'), fc.string()).map(([id, content]) => piece(id, content, 'x')),
      ),
    );
    fc.assert(
      fc.property(pieces, fc.nat(), (all, cut) => {
        const at = cut % (all.length + 1);
        expect(itemDelta(itemDelta(open, all.slice(0, at)), all.slice(at))).toEqual(itemDelta(open, all));
      }),
    );
  });
  it('is replaced when it completes, and never changes afterwards', () => {
    const done = itemOpened(samples['item.completed']);
    expect(done.item.status).toBe('completed');
    expect(itemDelta(done, [text('late')])).toEqual(done);
    expect(itemIncomplete(done)).toEqual(done);
  });
  it('keeps what was shown when its model call dies', () => {
    const dead = itemIncomplete(itemDelta(open, [text('half')]));
    expect(dead.item).toMatchObject({ status: 'incomplete', content: [text('half')] });
    expect(itemDelta(dead, [text('late')])).toEqual(dead);
  });
});

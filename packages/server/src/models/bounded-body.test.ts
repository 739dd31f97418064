import { expect, it } from 'vitest';
import { boundBody } from './bounded-body.ts';

const bodyOf = (...pieces: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

it('passes on what comes, and is not held up by a piece without bytes', async () => {
  let heard = 0;
  const body = boundBody(bodyOf('data: a\n', '', '\ndata: b\n\n', ''), true, () => {
    heard += 1;
  });
  expect(await new Response(body).text()).toBe('data: a\n\ndata: b\n\n');
  expect(heard).toBe(4);
});

it('an event without an end closes the body behind it, and what comes after an error’s beginning is not read', async () => {
  let cancelled: unknown;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(0x61)),
    cancel: (reason) => {
      cancelled = reason;
    },
  });
  await expect(new Response(boundBody(endless, true, () => {})).text()).rejects.toThrow('more than 4 MB');
  expect(cancelled).toMatchObject({ message: expect.stringContaining('more than 4 MB') });
  const error = await new Response(boundBody(bodyOf('e'.repeat(60_000), 'f'.repeat(60_000)), false, () => {})).text();
  expect([error.length, error.at(-1)]).toEqual([65_536, 'f']);
});

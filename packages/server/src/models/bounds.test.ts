/** What a provider may send: its body, its counts and its parts are bounded, whatever is on the other side. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { ModelError } from '../ports/model.ts';
import { collectAnswer } from '../testing/providers/collect-answer.ts';
import { openaiChat } from '../testing/providers/openai-chat.ts';
import { userSays } from '../testing/providers/provider-cases.ts';
import { createModels } from './create-models.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A compatible server that answers by `answer`, and a way to ask it. */
const serve = async (answer: (response: ServerResponse) => unknown) => {
  let cut: Promise<unknown> | undefined;
  const server = createServer((request, response) => {
    request.resume();
    cut = once(response, 'close');
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    return closed;
  });
  const models = createModels(
    { demo: false, openaiCompatible: { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } },
    { clock: systemClock },
  );
  const request = { model: 'openai-compatible:x', system: '', messages: [userSays('hi')], tools: [] };
  return { ask: () => collectAnswer(models.stream(request, new AbortController().signal)), cut: () => cut };
};

/** Writes `piece` again and again until the other side has gone or took `most` bytes; how many it took. */
const pour = async (response: ServerResponse, piece: string, most: number): Promise<number> => {
  let taken = 0;
  for (; taken < most && !response.destroyed; taken += piece.length) {
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }
  return taken;
};
const failing = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => expect.fail('no error'),
    (error: unknown) => error,
  );
const megabytes = 1024 * 1024;

it.each([
  ['a line', 'x'.repeat(65_536)],
  ['an event of many lines', `data: ${'x'.repeat(100)}\n`.repeat(500)],
])('%s that never ends fails for good and closes the connection', async (_, piece) => {
  let poured: Promise<number> | undefined;
  const { ask, cut } = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    poured = pour(response, piece, 40 * megabytes);
  });
  const error = await failing(ask());
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({ code: 'model_error', retryable: false, message: expect.stringContaining('4 MB') });
  await cut();
  expect(await poured).toBeLessThan(40 * megabytes);
});

it('of the body of an error only the beginning is read', async () => {
  let poured: Promise<number> | undefined;
  const { ask, cut } = await serve((response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    poured = pour(response, ' '.repeat(65_536), 40 * megabytes);
  });
  expect(await failing(ask())).toMatchObject({ code: 'model_error', retryable: true, status: 503 });
  await cut();
  expect(await poured).toBeLessThan(40 * megabytes);
});

it.each(['1e308', '-5', '1.5', 'null', '9007199254740993', '1e400', '"NaN"'])('a usage report with completion_tokens %s counts as none', async (count) => {
  const { ask } = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const body = openaiChat.encode({ parts: [{ text: 'hello' }], usage: { input: 3, output: 77 } });
    response.end(body.replace('"completion_tokens":77', `"completion_tokens":${count}`));
  });
  const { text, finish } = await ask();
  expect(text).toBe('hello');
  // What the AI SDK cannot read takes the place of the reason: `other` is all that is left.
  expect(finish).toEqual({ type: 'finish', reason: expect.stringMatching(/^(stop|other)$/) });
});

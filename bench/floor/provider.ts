/**
 * A provider of its own process: answers each request for a chat completion with so many tokens, each in a chunk of its own, at once.
 * It speaks what OpenAI-compatible servers speak, so that the floor and the service ask the same.
 */
import { createServer } from 'node:http';

const tokens = Number(process.argv[2] ?? 20);
const head = { id: 'chat', object: 'chat.completion.chunk', created: 0, model: 'bench' };
const frame = (body: object): string => `data: ${JSON.stringify({ ...head, ...body })}\n\n`;
const choice = (delta: object, finish_reason: string | null = null): object => ({ choices: [{ index: 0, delta, finish_reason }] });
const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens };

const frames = [
  frame(choice({ role: 'assistant', content: '' })),
  ...Array.from({ length: tokens }, (_, n) => frame(choice({ content: `token${n} ` }))),
  frame({ ...choice({}, 'stop'), usage }),
  'data: [DONE]\n\n',
].map((text) => Buffer.from(text));

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const bytes of frames) response.write(bytes);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});

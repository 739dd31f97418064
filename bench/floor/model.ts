/** Where the floor's tokens come from: a loop of its own, or a provider's stream. */
import { Agent, request } from 'node:http';
import { setImmediate as tick } from 'node:timers/promises';

/** Says each token as it comes; resolves after the last. */
export type Model = (say: (token: string) => void) => Promise<void>;

/** One token a turn of the event loop. */
export const loopModel =
  (tokens: number): Model =>
  async (say) => {
    for (let n = 0; n < tokens; n += 1) {
      say(`token${n} `);
      await tick();
    }
  };

const contentOf = (line: string): string | undefined => {
  if (!line.startsWith('data: {')) return undefined;
  const { choices } = JSON.parse(line.slice(6)) as { choices: readonly { readonly delta: { readonly content?: string } }[] };
  return choices[0]?.delta.content || undefined;
};

/** A request to a provider, read chunk by chunk. */
export const providerModel = (url: string): Model => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const body = JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'go' }] });
  return (say) =>
    new Promise((resolve, reject) => {
      const asked = request(`${url}/v1/chat/completions`, { agent, method: 'POST', headers: { 'Content-Type': 'application/json' } }, (answer) => {
        let rest = '';
        answer.on('data', (piece: Buffer) => {
          const lines = (rest + piece.toString()).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const token = contentOf(line);
            if (token !== undefined) say(token);
          }
        });
        answer.on('end', resolve).on('error', reject);
      });
      asked.on('error', reject).end(body);
    });
};

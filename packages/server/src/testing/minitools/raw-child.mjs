/** Stands in for what runs mini-tools in their processes: it does to its channel what a test tells it to. */
const send = process.send.bind(process);
const waiting = new Map();
let id = 0;

const request = (method, params) =>
  new Promise((resolve) => {
    id += 1;
    waiting.set(id, resolve);
    send({ jsonrpc: '2.0', id, method, params });
  });

const acts = {
  ping: () => null,
  /** Many requests at once; says how they were answered. */
  flood: async ({ count, method = 'app.info' }) => {
    const answers = await Promise.all(Array.from({ length: count }, () => request(method, {})));
    const codes = answers.map(({ error }) => error?.data?.code ?? 'answered');
    return Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((each) => each === code).length]));
  },
  giant: ({ bytes }) => send({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'x'.repeat(bytes) } }),
  deep: ({ depth }) => send({ jsonrpc: '2.0', method: 'log', params: { at: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) } }),
  say: ({ message }) => send(message),
  twice: () => {
    for (let n = 0; n < 2; n += 1) send({ jsonrpc: '2.0', id: 77, method: 'slow', params: {} });
  },
  hang: () => {
    for (;;);
  },
  /** Lets go of its channel, and goes on. */
  leave: () => {
    setInterval(() => {}, 1_000);
    process.removeAllListeners('disconnect');
    process.disconnect();
    return new Promise(() => {});
  },
  never: () => new Promise(() => {}),
  exit: ({ code }) => process.exit(code),
  hold: ({ megabytes }) => {
    globalThis.held = Array.from({ length: megabytes }, () => Buffer.alloc(1024 * 1024, 1));
    return null;
  },
  heap: () => {
    const all = [];
    for (;;) all.push(new Array(1_000).fill({}));
  },
  environment: () => ({ ...process.env }),
};

process.on('message', async (message) => {
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    return;
  }
  if (message.method === '$/cancelRequest') return;
  const { act, ...params } = message.params ?? {};
  const result = await acts[act ?? message.method]?.(params);
  send({ jsonrpc: '2.0', id: message.id, result: result ?? null });
});

/** A small client of event streams, on its own: it shares no code with the server's writer or the product's client. */
export type StreamEvent = { readonly id: string; readonly event: string; readonly data: EventEnvelope };
export type EventEnvelope = {
  readonly schema_version: 1;
  readonly id: string;
  readonly type: string;
  readonly session_id: string;
  readonly turn_id?: string;
  readonly created_at: number;
  readonly cursor: string;
  readonly data: Record<string, unknown>;
};

/** One frame of the protocol; comments give nothing. */
const readFrame = (block: string): StreamEvent | undefined => {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  );
  const data = fields.get('data');
  return data === undefined ? undefined : { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) as EventEnvelope };
};

export type EventStream = {
  readonly events: readonly StreamEvent[];
  /** Resolves with all events so far when `enough` holds; rejects when the stream ends before, or after thirty seconds. */
  readonly until: (enough: (events: readonly StreamEvent[]) => boolean) => Promise<readonly StreamEvent[]>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  readonly close: () => void;
};

const patienceMs = 30_000;

export const followStream = async (url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> => {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  if (response.status !== 200 || !response.body) throw new Error(`The stream was answered ${response.status}: ${await response.text()}`);
  if (response.headers.get('content-type') !== 'text/event-stream; charset=utf-8')
    throw new Error(`It is no event stream: ${response.headers.get('content-type')}`);
  const events: StreamEvent[] = [];
  let isOver = false;
  let news = (): void => {};
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    for await (const chunk of body) {
      rest += decoder.decode(chunk, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const frame = readFrame(block);
        if (frame) events.push(frame);
      }
      news();
    }
  };
  const ended = read(response.body)
    .catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    })
    .finally(() => {
      isOver = true;
      news();
    });
  ended.catch(() => {});
  return {
    events,
    ended,
    close: () => controller.abort(),
    until: async (enough) => {
      const deadline = Date.now() + patienceMs;
      while (!enough(events)) {
        const seen = events.map(({ event }) => event).join(' ');
        if (isOver) throw new Error(`The stream ended before it was enough: ${seen}`);
        if (Date.now() > deadline) throw new Error(`Not enough in time: ${seen}`);
        await Promise.race([new Promise<void>((resolve) => (news = resolve)), new Promise((resolve) => setTimeout(resolve, 100))]);
      }
      return events;
    },
  };
};

/**
 * Server-sent events: frames out, frames in. The parser takes text in any pieces.
 */

/** One frame: `id`, `event` and one line of data (JSON has no raw line breaks). */
export const sseFrame = (id: string, event: string, data: string): string => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;

/** A frame that carries nothing but a place: it moves the reader's last event id. */
export const sseId = (id: string): string => `id: ${id}\n\n`;

/** A comment frame: keeps connections open, carries nothing, has no id. */
export const sseHeartbeat = ': heartbeat\n\n';

/** A comment as long as a block of a proxy that hands on only whole blocks: what was written before it gets through. */
export const ssePadding = `:${' '.repeat(4_096)}\n\n`;

export type SseFrame = { readonly id: string | undefined; readonly event: string; readonly data: string };

/**
 * Feeds text pieces, gives out whole frames, and the places of those that carry nothing else (`onId`). Comments and unknown fields are dropped; CR, LF and CRLF all end lines.
 * Each piece is looked at once, however long the line that it belongs to.
 */
export const createSseParser = (onFrame: (frame: SseFrame) => void, onId: (id: string) => void = () => {}): ((text: string) => void) => {
  const onLine = createLineReader(onFrame, onId);
  /** The line that is not ended yet. */
  let begun: string[] = [];
  let first = true;
  /** The last piece ended with CR: an LF that follows is the other half of that line's end. */
  let afterCr = false;
  return (text) => {
    if (text === '') return;
    let from = (first && text.startsWith('\ufeff')) || (afterCr && text.startsWith('\n')) ? 1 : 0;
    first = false;
    afterCr = text.endsWith('\r');
    const lineEnd = /\r\n|\r|\n/g;
    lineEnd.lastIndex = from;
    for (let end = lineEnd.exec(text); end; end = lineEnd.exec(text)) {
      begun.push(text.slice(from, end.index));
      onLine(begun.join(''));
      begun = [];
      from = lineEnd.lastIndex;
    }
    if (from < text.length) begun.push(text.slice(from));
  };
};

/** Gathers lines into frames. The id stays in force until another one comes. */
const createLineReader = (onFrame: (frame: SseFrame) => void, onId: (id: string) => void): ((line: string) => void) => {
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  let moved = false;
  return (line) => {
    if (line === '') {
      if (data.length > 0) onFrame({ id, event: event || 'message', data: data.join('\n') });
      else if (moved && id !== undefined) onId(id);
      moved = false;
      event = '';
      data = [];
      return;
    }
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') {
      id = value;
      moved = true;
    } else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };
};

/**
 * Server-sent events: frames out, frames in. The parser takes text in any pieces.
 */

/** One frame: `id`, `event` and one line of data (JSON has no raw line breaks). */
export const sseFrame = (id: string, event: string, data: string): string => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;

/** A comment frame: keeps connections open, carries nothing, has no id. */
export const sseHeartbeat = ': heartbeat\n\n';

export type SseFrame = { readonly id: string | undefined; readonly event: string; readonly data: string };

/** Feeds text pieces, gives out whole frames. Comments and unknown fields are dropped; CR, LF and CRLF all end lines. */
export const createSseParser = (onFrame: (frame: SseFrame) => void): ((text: string) => void) => {
  let rest = '';
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) onFrame({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    if (text.startsWith(':')) return;
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };
  return (text) => {
    rest += text;
    // A CR at the very end may be half of a CRLF: it waits for what follows.
    const usable = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const pieces = rest.slice(0, usable).split(/\r\n|\r|\n/);
    const last = pieces.pop() ?? '';
    rest = last + rest.slice(usable);
    for (const piece of pieces) line(piece);
  };
};

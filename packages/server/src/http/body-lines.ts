/**
 * The lines of a body as it comes, within bounds; blank ones are passed over.
 *
 * BL1 A body costs time by its length, however its lines are cut: each byte is looked at once, a line that does not end is
 *     refused where it is too long, and after each piece others have their turn.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';

const newline = 0x0a;

const tooLarge = (what: string, limit: number): TurnkeeperError =>
  new TurnkeeperError('payload_too_large', `${what} may have at most ${limit} bytes.`, { limit });

/** Parts of one line, gathered until its end has come. */
class OpenLine {
  #parts: Uint8Array[] = [];
  #length = 0;

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > limits.archiveLineBytes) throw tooLarge('A line of an archive', limits.archiveLineBytes);
    this.#parts.push(part);
  }

  /** Its text; it is empty again then. */
  take(): string {
    if (this.#length === 0) return '';
    const text = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#length = 0;
    return text;
  }
}

export async function* bodyLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const line = new OpenLine();
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > limits.archiveBytes) throw tooLarge('An archive', limits.archiveBytes);
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      if (end > from) line.add(chunk.subarray(from, end));
      const text = line.take();
      if (text.trim() !== '') yield text;
      from = end + 1;
    }
    line.add(chunk.subarray(from));
    await othersTurn();
  }
  const rest = line.take();
  if (rest.trim() !== '') yield rest;
}

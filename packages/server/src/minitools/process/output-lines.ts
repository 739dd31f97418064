/** What a process prints, line by line. A line that does not end is cut; what is printed too fast is read more slowly. */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../../ports/clock.ts';
import { pauseMs } from './message-lines.ts';
import type { TokenBucket } from './token-bucket.ts';

const mostCharacters = 8_192;

export const eachLine = (stream: Readable, clock: Clock, bytes: TokenBucket, tell: (line: string) => void): void => {
  let stopTimer = (): void => {};
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string): void => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') tell(line.slice(0, mostCharacters));
    if (rest.length > mostCharacters) {
      tell(rest.slice(0, mostCharacters));
      rest = '';
    }
  };
  const wait = (): void => {
    stopTimer = clock.after(pauseMs, () => {
      if (bytes.isEmpty) wait();
      else stream.resume();
    });
  };
  stream.on('data', (chunk: Buffer) => {
    bytes.take(chunk.length);
    take(decoder.write(chunk));
    if (!bytes.isEmpty) return;
    stream.pause();
    wait();
  });
  stream.on('close', () => stopTimer());
  stream.on('end', () => {
    take(decoder.end());
    if (rest !== '') tell(rest);
    rest = '';
  });
  stream.on('error', () => {});
};

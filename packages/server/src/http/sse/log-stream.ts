/** One reader of a mini-tool's log: an entry a frame, as it is written. */
import type { Subject } from '../../app/access.ts';
import type { MinitoolLogEntry } from '../../app/minitools/minitool-services.ts';
import { type FrameReader, FrameStream } from './frame-stream.ts';
import type { OpenStreams } from './open-streams.ts';

/** Belongs to nobody, so that admins read it and nobody else. */
const ofAdmins: Subject = { owner: 'system', placement: '', target: { type: 'agent', id: '', space: undefined } };

const frameOf = (entry: MinitoolLogEntry): string => `data: ${JSON.stringify(entry)}\n\n`;

export const openLogStream = (
  streams: OpenStreams,
  reader: Omit<FrameReader, 'subject' | 'readBy'>,
  earlier: readonly MinitoolLogEntry[],
  follow: (tell: (entry: MinitoolLogEntry) => void) => () => void,
): FrameStream =>
  new FrameStream(streams, { ...reader, subject: ofAdmins }, (write) => {
    if (earlier.length > 0) write(earlier.map(frameOf).join(''));
    return follow((entry) => write(frameOf(entry)));
  });

/** One reader of what mini-tools show: first all that is shown now, which is also what a reader comes back to (HS9). */
import type { ShowFeed } from '../../app/minitools/shows.ts';
import { type FrameReader, FrameStream } from './frame-stream.ts';
import type { OpenStreams } from './open-streams.ts';

export const openShowStream = (streams: OpenStreams, reader: Omit<FrameReader, 'subject' | 'readBy'>, feed: ShowFeed): FrameStream => {
  // The reader's own: what of it the reader sees is looked at for each mini-tool.
  const subject = { owner: reader.reader, placement: '', target: { type: 'agent', id: '', space: undefined } } as const;
  return new FrameStream(streams, { ...reader, subject, readBy: feed.readBy }, (write) =>
    feed.follow((news) => write(`event: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`)),
  );
};

/** Says when a stream was cut and where it went on, and when something was skipped. */
import type { FeedMessage } from '@turnkeeper/client/stream/session-feed';

export const createConnectionRemarks = (note: (text: string) => void) => {
  let cut = false;
  let cursor = '';
  return (message: FeedMessage): void => {
    switch (message.type) {
      case 'snapshot':
        if (message.reason === 'expired') note('gap: events were pruned meanwhile; the view was read anew');
        cursor = message.view.as_of;
        return;
      case 'events':
        cursor = message.view.as_of;
        return;
      case 'connection':
        if (message.connection.kind === 'reconnecting' && !cut) note(`reconnecting … (${message.connection.reason})`);
        if (message.connection.kind === 'live' && cut) note(`resumed at ${cursor}`);
        cut = message.connection.kind === 'reconnecting';
    }
  };
};

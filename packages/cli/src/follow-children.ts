/** Tells what children of a session do, from now on, until it is let go. */
import type { Client } from '@turnkeeper/client/create-client';
import type { TreeEnvelope } from '@turnkeeper/client/stream/stream-tree';

/** Returns how to stop. What cannot be read any more is told by whoever follows the session itself. */
export const followChildren = (client: Client, sessionId: string, told: (event: TreeEnvelope) => void): (() => void) => {
  const over = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const event of client.streamTree(sessionId, { after: 'latest', signal: over.signal })) if (event.path !== undefined) told(event);
  };
  follow().catch(() => {});
  return () => over.abort();
};

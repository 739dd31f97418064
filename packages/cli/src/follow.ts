/** Watching a session until something is so, time is up, or Ctrl+C lets go. */
import type { Client } from '@turnkeeper/client/create-client';
import type { FeedMessage } from '@turnkeeper/client/stream/session-feed';
import type { SessionView } from '@turnkeeper/core/view/session-view';

export type FollowEnd<Value> = { readonly kind: 'met'; readonly value: Value } | { readonly kind: 'time_up' } | { readonly kind: 'interrupted' };

export type FollowOptions<Value> = {
  readonly onMessage: (message: FeedMessage) => void;
  /** Asked after each change; anything but undefined ends the watch. */
  readonly until: (view: SessionView) => Value | undefined;
  readonly interrupted: AbortSignal;
  readonly timeoutMs?: number | undefined;
};

/** Rejects with the server's error when it refuses the session. Nothing on the server is cancelled by leaving. */
export const followSession = async <Value>(client: Client, sessionId: string, options: FollowOptions<Value>): Promise<FollowEnd<Value>> => {
  const watch = client.watchSession(sessionId);
  let timer: NodeJS.Timeout | undefined;
  let letGo: (() => void) | undefined;
  try {
    return await new Promise<FollowEnd<Value>>((resolve, reject) => {
      letGo = () => resolve({ kind: 'interrupted' });
      if (options.interrupted.aborted) letGo();
      options.interrupted.addEventListener('abort', letGo);
      if (options.timeoutMs !== undefined) timer = setTimeout(() => resolve({ kind: 'time_up' }), options.timeoutMs);
      watch.onMessage((message) => {
        options.onMessage(message);
        if (message.type === 'connection') {
          if (message.connection.kind === 'closed') reject(message.connection.error ?? new Error('The stream was closed.'));
          return;
        }
        const value = options.until(message.view);
        if (value !== undefined) resolve({ kind: 'met', value });
      });
    });
  } finally {
    clearTimeout(timer);
    if (letGo) options.interrupted.removeEventListener('abort', letGo);
    watch.close();
  }
};

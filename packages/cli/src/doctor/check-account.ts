/** What the credential may, what models there are, and whether events come through. */
import type { Client } from '@turnkeeper/client/create-client';
import { readEventStream } from '@turnkeeper/client/stream/read-event-stream';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';

/** Events that are there already come at once; a proxy that buffers holds them back. */
const eventMs = 5_000;

/** `advice`: what to do where the credential is refused. */
export const checkToken = async (client: Client, advice: string): Promise<Finding> => {
  const check = 'credential';
  try {
    const { user, key } = await client.account.me();
    return ok(check, user ? `${user.username} (${user.roles.join(', ')})` : `key of ${key?.applicationName ?? 'an application'}`);
  } catch (error) {
    return fail(check, messageOf(error), advice);
  }
};

export const checkModels = async (client: Client): Promise<Finding> => {
  const check = 'models';
  const advice = 'Set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider’s variables for the server, and start it again.';
  try {
    const providers = [...new Set((await client.models()).map(({ provider }) => provider))];
    const real = providers.filter((provider) => provider !== 'demo');
    return real.length > 0 ? ok(check, real.join(', ')) : warn(check, 'only the scripted demo models', advice);
  } catch (error) {
    return warn(check, messageOf(error), advice);
  }
};

export type OpenStream = (path: string, signal: AbortSignal) => Promise<Response>;

/** Opens the stream of a session that exists: its first event must come through. */
export const checkStream = async (client: Client, open: OpenStream): Promise<Finding> => {
  const check = 'event stream';
  try {
    const [session] = (await client.sessions.list({ status: 'all', limit: 1 })).items;
    if (!session) return warn(check, 'there is no session to try it with', 'Make one (turnkeeper ask "hello"), then look again.');
    const signal = new AbortController().signal;
    const path = `/api/v1/agent-sessions/${encodeURIComponent(session.id)}/events/stream`;
    for await (const events of readEventStream({ open: (inner) => open(path, inner), signal, silenceMs: eventMs, openMs: eventMs }))
      return ok(check, `${events[0]?.type ?? 'an event'} of ${session.id} came through`);
    return fail(check, 'the stream ended without an event', 'Look at what stands between: a proxy may answer in the server’s place.');
  } catch (error) {
    return fail(check, messageOf(error), 'A proxy may hold events back: let it pass text/event-stream unbuffered and uncompressed, idle time 60 s or more.');
  }
};

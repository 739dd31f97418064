/** The same session by other ways, ready to run: server, token and session are filled in. */

/** For a POSIX shell: nothing in it is expanded. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

type Access = { readonly origin: string; readonly token: string };

const post = ({ origin, token }: Access, path: string, body: unknown): string =>
  [
    `curl -sS ${shellQuote(`${origin}/api/v1${path}`)}`,
    `-H ${shellQuote(`Authorization: Bearer ${token}`)}`,
    `-H 'Content-Type: application/json'`,
    // A new key with each run of the command, for it is a new message each time.
    `-H "Idempotency-Key: curl-$(date +%s%N)"`,
    `-d ${shellQuote(JSON.stringify(body))}`,
  ].join(' \\\n  ');

export const curlTurn = (access: Access, sessionId: string, message: string): string => post(access, `/agent-sessions/${sessionId}/turns`, { message });
export const curlSession = (access: Access, agent: string, message: string): string => post(access, '/agent-sessions', { agent, initialMessage: { message } });

export const terminalCommand = ({ origin, token }: Access, rest: string): string =>
  `TURNKEEPER_URL=${shellQuote(origin)} TURNKEEPER_TOKEN=${shellQuote(token)} npx turnkeeper ${rest}`;

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

/** What is read, e.g. `/agent-sessions?limit=5`; what does not stand below `/api/v1` is named from the root. */
export const curlGet = ({ origin, token }: Access, path: string): string =>
  [`curl -sS ${shellQuote(`${origin}${path.startsWith('/api/') ? path : `/api/v1${path}`}`)}`, `-H ${shellQuote(`Authorization: Bearer ${token}`)}`].join(
    ' \\\n  ',
  );

type Said = { readonly message: string } | { readonly input: unknown };

export const curlTurn = (access: Access, sessionId: string, said: Said): string => post(access, `/agent-sessions/${sessionId}/turns`, said);
type MadeFor = { readonly agent: string; readonly model?: string } | { readonly target: { readonly type: string; readonly id: string } };
export const curlSession = (access: Access, madeFor: MadeFor, said: Said): string => post(access, '/agent-sessions', { ...madeFor, initialMessage: said });

export const terminalCommand = ({ origin, token }: Access, rest: string): string =>
  `TURNKEEPER_URL=${shellQuote(origin)} TURNKEEPER_TOKEN=${shellQuote(token)} npx turnkeeper ${rest}`;

/**
 * docs/protocol/errors.md, made from the one table of codes. `npm run docs` writes it; a house test compares it.
 */
import { errorTable, turnFailures, turnInterruptions } from '@turnkeeper/core/protocol/errors';

export const errorDocsPath = 'docs/protocol/errors.md';

const errorRows = (): readonly string[] =>
  Object.entries(errorTable).map(([code, { status, retryable, title }]) => `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${title} |`);

const meaningRows = (table: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(table).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);

export const renderErrorDocs = (): string =>
  `<!-- Written by "npm run docs" from packages/core/src/protocol/errors.ts. Do not edit by hand. -->

# Errors

Every refusal is an RFC 9457 problem (\`application/problem+json\`):

\`\`\`json
{
  "type": "urn:turnkeeper:error:queue_full",
  "title": "${errorTable.queue_full.title}",
  "status": ${errorTable.queue_full.status},
  "detail": "The session has 20 unfinished turns; its limit is 20.",
  "code": "queue_full",
  "error": "queue_full",
  "request_id": "…",
  "scope": "session",
  "limit": 20,
  "pending_count": 20,
  "retry_after_ms": 1000
}
\`\`\`

Tell errors apart by \`code\`, never by text: a code keeps its meaning and its status. \`error\` repeats \`code\`. Some codes
carry further members, as \`queue_full\` does here. "Retryable" means that the same request may succeed later; a 429 or 503
says when in \`Retry-After\`.

## Codes

| code | HTTP status | retryable | meaning |
| --- | --- | --- | --- |
${errorRows().join('\n')}

A session that is not yours is answered exactly like one that does not exist: 404 \`not_found\`.

## Why a turn failed

These are no HTTP errors. They stand in \`error_code\` of \`turn.failed\` and on the turn itself (\`errorCode\`).

| code | meaning |
| --- | --- |
${meaningRows(turnFailures).join('\n')}

## Why a turn was interrupted

Nor are these. They stand in \`reason\` and \`error_code\` of \`turn.interrupted\`, and on the turn itself (\`errorCode\`) while it waits.

| code | meaning |
| --- | --- |
${meaningRows(turnInterruptions).join('\n')}
`;

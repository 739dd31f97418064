/** Bytes that are no HTTP request: answered by hand, since there is no request to answer. */
import type { Socket } from 'node:net';
import { type ErrorCode, errorTable, problemOf } from '@turnkeeper/core/protocol/errors';
import { problemType } from './problems.ts';

const statusTexts: Readonly<Record<number, string>> = { 400: 'Bad Request', 413: 'Content Too Large' };

const told = (code: string | undefined): { readonly code: ErrorCode; readonly detail: string } => {
  if (code === 'HPE_HEADER_OVERFLOW') return { code: 'payload_too_large', detail: 'The headers of the request are too large.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'invalid_request', detail: 'The request did not arrive in time.' };
  return { code: 'invalid_request', detail: 'This is not a valid HTTP request.' };
};

export const clientErrorHandler = (error: NodeJS.ErrnoException, socket: Socket): void => {
  // An answer under way (a stream, say) must not get a second head in its middle.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy(error);
    return;
  }
  const { code, detail } = told(error.code);
  const body = JSON.stringify(problemOf(code, detail, 'none'));
  const { status } = errorTable[code];
  socket.end(
    `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Error'}\r\nContent-Type: ${problemType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

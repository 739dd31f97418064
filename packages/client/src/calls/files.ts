/** Files of a session, and the artifacts that it publishes. */
import type { ArtifactResource, FileResource, PublishArtifactRequest } from '@turnkeeper/core/protocol/wire/files';
import type { Bytes, Transport } from '../transport/transport.ts';
import { type Cancellable, type Keyed, type Page, type PageQuery, part, sessionPath, turnPath } from './paths.ts';

export type Upload = Keyed & {
  /** What it is called; paths are left out by the server. */
  readonly name?: string;
  readonly mediaType?: string;
  /** Hears, from 0 to 1, how much of it is on its way; in browsers. */
  readonly onSent?: (part: number) => void;
};

export type FileCalls = {
  /**
   * Uploads a file of at most 16 MiB: a Blob or File, bytes, a text, or a stream. A stream can be sent once only: an upload
   * of one that is broken off is not tried again.
   */
  readonly upload: (sessionId: string, bytes: Bytes, options: Upload) => Promise<FileResource>;
  readonly list: (sessionId: string, query?: PageQuery) => Promise<Page<FileResource>>;
  readonly get: (sessionId: string, fileId: string, options?: Cancellable) => Promise<FileResource>;
  /** The answer as it comes: its `body` is a stream, and it has `arrayBuffer()` and `text()`. */
  readonly download: (sessionId: string, fileId: string, options?: Cancellable & { readonly range?: string }) => Promise<Response>;
};

export type ArtifactCalls = {
  readonly publish: (sessionId: string, artifact: PublishArtifactRequest, options: Keyed) => Promise<ArtifactResource>;
  readonly list: (sessionId: string, query?: PageQuery) => Promise<Page<ArtifactResource>>;
  readonly get: (sessionId: string, artifactId: string, options?: Cancellable) => Promise<ArtifactResource>;
  readonly delete: (sessionId: string, artifactId: string) => Promise<void>;
  readonly ofTurn: (sessionId: string, turnId: string, query?: PageQuery) => Promise<Page<ArtifactResource>>;
  /** The bytes of one that a turn published. */
  readonly download: (sessionId: string, turnId: string, artifactId: string, options?: Cancellable) => Promise<Response>;
};

const filesPath = (sessionId: string): string => `${sessionPath(sessionId)}/files`;
const artifactsPath = (sessionId: string): string => `${sessionPath(sessionId)}/artifacts`;

const typeOf = (bytes: Bytes): string => (typeof Blob === 'function' && bytes instanceof Blob && bytes.type !== '' ? bytes.type : 'application/octet-stream');
const nameOf = (bytes: Bytes): string | undefined => ('name' in Object(bytes) ? String((bytes as { readonly name?: unknown }).name) : undefined);

/** An upload of 16 MiB over a slow line takes its time; the server waits two minutes. */
const uploadTimeoutMs = 120_000;

export const createFileCalls = ({ request, download }: Transport): FileCalls => ({
  upload: (sessionId, bytes, { name = nameOf(bytes), mediaType = typeof bytes === 'string' ? 'text/plain' : typeOf(bytes), ...options }) => {
    const headers = { 'content-type': mediaType, ...(name === undefined ? {} : { 'x-file-name': encodeURIComponent(name.toWellFormed()) }) };
    return request('POST', filesPath(sessionId), { ...options, bytes, headers, timeoutMs: uploadTimeoutMs });
  },
  list: (sessionId, query) => request('GET', filesPath(sessionId), query ? { query } : {}),
  get: (sessionId, fileId, options) => request('GET', `${filesPath(sessionId)}/${part(fileId)}`, options),
  download: (sessionId, fileId, { range, signal } = {}) =>
    download(`${filesPath(sessionId)}/${part(fileId)}/content`, { ...(range === undefined ? {} : { headers: { range } }), ...(signal ? { signal } : {}) }),
});

export const createArtifactCalls = ({ request, download }: Transport): ArtifactCalls => ({
  publish: (sessionId, body, options) => request('POST', artifactsPath(sessionId), { body, ...options }),
  list: (sessionId, query) => request('GET', artifactsPath(sessionId), query ? { query } : {}),
  get: (sessionId, artifactId, options) => request('GET', `${artifactsPath(sessionId)}/${part(artifactId)}`, options),
  delete: (sessionId, artifactId) => request('DELETE', `${artifactsPath(sessionId)}/${part(artifactId)}`),
  ofTurn: (sessionId, turnId, query) => request('GET', `${turnPath(sessionId, turnId)}/artifacts`, query ? { query } : {}),
  download: (sessionId, turnId, artifactId, options) => download(`${turnPath(sessionId, turnId)}/artifacts/${part(artifactId)}`, options),
});

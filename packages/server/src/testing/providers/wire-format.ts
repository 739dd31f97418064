import { createHash } from 'node:crypto';
import type { FakeAnswer, FakeReply } from './fake-answer.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One provider's way of speaking. */
export type WireFormat = {
  /** The whole body of a streamed answer. */
  readonly encode: (answer: FakeAnswer) => string;
  readonly errorBody: (error: Extract<FakeReply, { kind: 'error' }>) => string;
  /** What is wrong with a request, as strictly as the provider; empty when nothing is. */
  readonly faults: (path: string, headers: Headers, body: unknown) => readonly string[];
};

export const sse = (data: unknown, event?: string): string => `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** A signature that only the text that it was made for satisfies. */
export const sign = (text: string): string => `sig-${createHash('sha256').update(text).digest('base64url')}`;

type Record_ = Readonly<Record<string, unknown>>;
export const asObject = (value: unknown): Record_ => (typeof value === 'object' && value !== null ? (value as Record_) : {});
export const asList = (value: unknown): readonly Record_[] => (Array.isArray(value) ? value.map(asObject) : []);

/** A lone surrogate in a JSON body: real providers answer it with a 400. */
export const hasLoneSurrogate = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => !key.isWellFormed() || hasLoneSurrogate(member));
};

/** Faults of a list of requested and answered call ids: each once, none missing, none too many. */
export const pairFaults = (wanted: readonly string[], given: readonly string[], where: string): readonly string[] => [
  ...wanted.filter((id) => !given.includes(id)).map((id) => `${where}: call ${id} has no result right after it`),
  ...given.filter((id) => !wanted.includes(id)).map((id) => `${where}: result ${id} answers no call right before it`),
  ...given.filter((id, at) => given.indexOf(id) !== at).map((id) => `${where}: call ${id} has two results`),
  ...wanted.filter((id, at) => wanted.indexOf(id) !== at).map((id) => `${where}: call id ${id} twice`),
];

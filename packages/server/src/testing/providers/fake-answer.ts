/**
 * What a fake provider answers, in words that hold for all of them; each wire format writes it in its own way.
 */
export type FakePart =
  | { readonly text: string }
  /** The fake signs it, and checks the signature when it comes back. */
  | { readonly reasoning: string }
  /** `args` is the argument text as the model wrote it. */
  | { readonly call: { readonly id: string; readonly name: string; readonly args: string } };

/** Of `input`, `cached` was read from the cache, and `written` went into it. */
export type FakeUsage = { readonly input: number; readonly output: number; readonly cached?: number; readonly written?: number; readonly reasoning?: number };

export type FakeAnswer = {
  readonly parts: readonly FakePart[];
  /** Left out: no usage is reported. */
  readonly usage?: FakeUsage;
  readonly finish?: 'length';
  /** UTF-16 units a delta; characters may be cut in two, as JSON allows. Default: whole. */
  readonly deltaUnits?: number;
};

export type FakeReply =
  | { readonly kind: 'answer'; readonly answer: FakeAnswer; readonly then?: Ending }
  | { readonly kind: 'error'; readonly status: number; readonly message?: string; readonly code?: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'raw'; readonly body: string; readonly contentType?: string; readonly then?: Ending }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' };

/** How the body ends after `bytes` bytes of it: the socket breaks, the body just stops, or nothing more comes. */
export type Ending = { readonly after: number; readonly by: 'reset' | 'end' | 'silence' };

/** Cuts by UTF-16 units, and so through characters: what a delta is allowed to do on the wire. */
export const deltasOf = (text: string, units: number | undefined): readonly string[] => {
  if (units === undefined) return [text];
  return Array.from({ length: Math.ceil(text.length / units) }, (_, n) => text.slice(n * units, (n + 1) * units));
};

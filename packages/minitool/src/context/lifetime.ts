/** Handles and events: how a mini-tool ends what it has begun. */

/** Something that can be ended. What is put into `ctx.subscriptions` is disposed when the mini-tool is deactivated. */
export interface Disposable {
  dispose(): void;
}

/** What `ctx.subscriptions` takes: also handles of other libraries, whose `dispose` may give a promise. */
export interface DisposableLike {
  dispose(): unknown;
}

/** Adds a listener; the handle removes it. */
export type Event<T> = (listener: (event: T) => unknown, thisArgs?: unknown, disposables?: Disposable[]) => Disposable;

/** Fires an event. */
export interface EventEmitter<T> {
  readonly event: Event<T>;
  fire(data: T): void;
  dispose(): void;
}

/** Says that work which takes long should end. */
export interface CancellationToken {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: Event<unknown>;
}

/** A path or an address. */
export interface Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly fsPath: string;
  with(change: { scheme?: string; authority?: string; path?: string; query?: string; fragment?: string }): Uri;
  toString(skipEncoding?: boolean): string;
  toJSON(): object;
}

/** Text with Markdown in it. */
export interface MarkdownString {
  value: string;
  isTrusted?: boolean;
  appendText(value: string): MarkdownString;
  appendMarkdown(value: string): MarkdownString;
  appendCodeblock(value: string, language?: string): MarkdownString;
}

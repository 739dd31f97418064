/** What a full screen shows, as one value: the pure side of chat and tail. */
import type { ConnectionState } from '@turnkeeper/client/stream/connection-state';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { Choice } from '../chat/answer-words.ts';
import type { Editor } from './editor.ts';
import type { Line } from './line.ts';

export type Size = { readonly columns: number; readonly rows: number };

/** What a card wants next: one of some letters, or a text. */
export type CardStep =
  | {
      readonly kind: 'choice';
      readonly question: string;
      readonly choices: readonly Choice[] /** Pressed, and not yet meant: text may follow. */;
      readonly held?: Choice;
    }
  /** `hidden`: what is typed is a secret. */
  | { readonly kind: 'text'; readonly question: string; readonly editor: Editor; readonly hidden?: true };
export type Card = {
  readonly requestId: string;
  readonly title: string;
  /** The title warns of what is asked. */
  readonly warns?: boolean;
  /** The arguments, or what a dialogue has shown. */
  readonly body: readonly string[];
  readonly step: CardStep | undefined;
};

export type ScreenModel = {
  readonly mode: 'chat' | 'tail';
  readonly title: string;
  readonly target: string;
  readonly sessionId: string | undefined;
  readonly view: SessionView | undefined;
  readonly connection: ConnectionState | undefined;
  /** Sent, and not in the view yet. */
  readonly outbox: readonly string[];
  readonly stopping: boolean;
  readonly card: Card | undefined;
  /** Whether keys go to the card, or to the message that is being typed. */
  readonly focus: 'card' | 'message';
  readonly editor: Editor;
  /** Said last: it stands above the message until the next key. */
  readonly notice: string;
  readonly help: boolean;
  readonly mouse: boolean;
  /** Rows above the end; 0 stays with it. */
  readonly scroll: number;
};

export type Frame = {
  readonly rows: readonly Line[];
  /** Where the cursor stands, from 0; hidden without it. */
  readonly cursor?: { readonly row: number; readonly column: number };
  /** How many rows the timeline has, and how many of them fit. */
  readonly length: number;
  readonly page: number;
  /** As far as it is possible. */
  readonly scroll: number;
};

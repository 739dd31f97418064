/**
 * Port: what mini-tools show people now, as the consoles of those people see it.
 *
 * Contract
 * VX1 Best effort, and of this node: what is shown is kept nowhere, and nobody is told what was shown before.
 * VX2 A viewer is told only what it may see, in order: what is shown, then how that ended. It is asked each time anew.
 * VX3 The first answer counts. How it fits what was shown has been looked at by whoever gives it.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ShowContent, ShowEnd } from '@turnkeeper/core/protocol/wire/minitool-shows';
import type { MinitoolLocale } from './minitool-host.ts';

export type Show = {
  readonly id: string;
  readonly minitoolId: string;
  readonly names: Readonly<Record<MinitoolLocale, string>>;
  /** Unix ms. */
  readonly at: number;
  readonly expiresAt: number;
  readonly content: ShowContent;
};

export type ShowAnswer = { readonly action?: string | undefined; readonly confirmed?: boolean | undefined; readonly values?: JsonObject | undefined };

export interface ShowViewer {
  maySee(minitoolId: string): boolean;
  shown(show: Show): void;
  closed(id: string, reason: ShowEnd): void;
}

export interface MinitoolShows {
  /** Somebody is there from now on; the function ends that. */
  watch(viewer: ShowViewer): () => void;
  /** What this viewer may see now, the oldest first. */
  open(viewer: Pick<ShowViewer, 'maySee'>): readonly Show[];
  /** `show`: while it can be answered. Undefined where there was none, or it ended long ago. */
  find(id: string): { readonly minitoolId: string; readonly show: Show | undefined } | undefined;
  /** False where it cannot be answered any more. */
  answer(id: string, answer: ShowAnswer): boolean;
}

/** Buttons beside the text box. They are accepted and listed; the server has no place that shows them yet. */
import type { ComposerActionMenuItem, IconRef } from './menus.ts';

export type ComposerSurface = 'home' | 'session';

export interface ComposerActionContext {
  readonly cwd: string | undefined;
  readonly sessionId: string | undefined;
  readonly spaceId: string | undefined;
  readonly surface: ComposerSurface;
}

export interface ComposerActionBadge {
  text?: string;
  active?: boolean;
}

export type ComposerFillMode = 'replace' | 'append';

export interface ComposerFillOptions {
  readonly mode?: ComposerFillMode;
}

export interface ComposerConfirmOptions {
  readonly text: string;
  readonly confirmLabel?: string;
  readonly cancelLabel?: string;
}

export type ComposerConfirmResult = 'confirm' | 'cancel' | 'dismissed';

export interface ComposerActionComposerActions {
  fill(text: string, options?: ComposerFillOptions): Promise<void>;
  confirm(options: ComposerConfirmOptions): Promise<ComposerConfirmResult>;
}

export interface ComposerActionActions {
  composer: ComposerActionComposerActions;
  navigation: { openSession(sessionId: string): Promise<void> };
  /** @deprecated Use `composer.fill`. */
  fillComposer(text: string, options?: ComposerFillOptions): Promise<void>;
}

export interface ComposerActionProvider {
  getBadge?(ctx: ComposerActionContext): Promise<string | ComposerActionBadge | undefined>;
  getReminder?(ctx: ComposerActionContext): Promise<string | undefined>;
  getIcon?(ctx: ComposerActionContext): Promise<IconRef | undefined>;
  getMenu?(ctx: ComposerActionContext): Promise<ComposerActionMenuItem[]>;
  execute?(ctx: ComposerActionContext, itemId: string, actions: ComposerActionActions): Promise<void>;
  onClick?(ctx: ComposerActionContext, actions: ComposerActionActions): Promise<void>;
  onTurnEnd?(ctx: ComposerActionContext, actions: ComposerActionActions): Promise<void>;
}

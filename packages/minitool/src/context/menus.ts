/** Menus and icons of a mini-tool. */

/** The name of a built-in icon, or `ext:<pack>/<icon>`. */
export type IconRef = string;

export interface IconDefinition {
  readonly svg: string;
  readonly description?: string;
}

export interface ComposerActionMenuItemTrailingButton {
  /** A click runs `execute(ctx, '__trailing__:<id>', …)`. */
  readonly id: string;
  readonly iconName: IconRef;
  readonly tooltip?: string;
  readonly disabled?: boolean;
}

export interface ComposerActionMenuItem {
  readonly id: string;
  readonly label: string;
  readonly current?: boolean;
  readonly disabled?: boolean;
  /** A line; nothing else of it is shown. */
  readonly separator?: boolean;
  readonly description?: string;
  readonly trailingButton?: ComposerActionMenuItemTrailingButton;
  readonly hoverText?: string;
  readonly iconName?: IconRef;
  readonly group?: string;
  readonly groupLabel?: string;
  readonly groupMaxVisible?: number;
  readonly children?: ComposerActionMenuItem[];
}

export interface SessionContainerSettingsMenuContext {
  readonly cwd: string | undefined;
  readonly minitoolId: string;
  readonly containerId: string;
}

export interface SessionContainerSettingsMenuProvider {
  getMenu(ctx: SessionContainerSettingsMenuContext): Promise<ComposerActionMenuItem[]>;
  execute(ctx: SessionContainerSettingsMenuContext, itemId: string): Promise<void>;
}

export type SettingsMenuSurface = 'container' | 'toolcase';

export interface SettingsMenuContext {
  readonly cwd: string | undefined;
  readonly minitoolId: string;
  readonly surface: SettingsMenuSurface;
  readonly containerId?: string;
}

export interface SettingsMenuProvider {
  getMenu(ctx: SettingsMenuContext): Promise<ComposerActionMenuItem[]>;
  execute(ctx: SettingsMenuContext, itemId: string): Promise<void>;
}

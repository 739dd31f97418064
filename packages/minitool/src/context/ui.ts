/** What people are shown outside of a turn: in the consoles of those who may see the mini-tool. With nobody there, all is dismissed. */

import type { MiniToolFormField } from './forms.ts';
import type { CanvasWindow, CanvasWindowOptions, WebviewPanel, WebviewPanelOptions } from './windows.ts';

export type ToastVariant = 'default' | 'success' | 'info' | 'warning' | 'error' | 'promise';
export type ToastPosition = 'TL' | 'TC' | 'TR' | 'BL' | 'BC' | 'BR';

export interface ToastActionOptions {
  readonly label: string;
}

export interface ToastOptions {
  readonly title: string;
  readonly description?: string;
  readonly variant?: ToastVariant;
  readonly position?: ToastPosition;
  readonly action?: ToastActionOptions;
  /** Beyond the type package: how long it is to be seen, 1 s … 60 s; 5 s unless given. */
  readonly durationMs?: number;
}

export interface ToastResult {
  readonly action: 'action' | 'dismissed';
}

export type DialogButtonVariant = 'primary' | 'secondary' | 'danger';

export interface ConfirmDialogOptions {
  readonly title: string;
  readonly description?: string;
  readonly message?: string;
  readonly confirmLabel?: string;
  readonly cancelLabel?: string;
  readonly variant?: 'primary' | 'danger';
}

export interface ConfirmDialogResult {
  readonly confirmed: boolean;
}

export interface ModalDialogActionOptions {
  readonly id: string;
  readonly label: string;
  readonly variant?: DialogButtonVariant;
}

export interface ModalDialogOptions {
  readonly title: string;
  readonly description?: string;
  readonly message?: string;
  readonly actions?: readonly ModalDialogActionOptions[];
  readonly fields?: readonly MiniToolFormField[];
}

export interface ModalDialogResult {
  /** The id of an action, `ok` where none was given, or `dismissed`. */
  readonly action: string | 'dismissed';
  /** Only where the dialog had fields. */
  readonly values?: Readonly<Record<string, string | number | boolean | string[]>>;
}

/** Resolves when the dialog is closed: by a person, or by `close`. */
export interface ModalDialogHandle extends Promise<ModalDialogResult> {
  close(action?: string): Promise<void>;
}

export interface Ui {
  /** @deprecated Not available on a server: throws. */
  createWebviewPanel(options: WebviewPanelOptions): WebviewPanel;
  /** Not available on a server: throws. */
  createCanvasWindow(options: CanvasWindowOptions): CanvasWindow;
  showToast(options: ToastOptions): Promise<ToastResult>;
  showConfirmDialog(options: ConfirmDialogOptions): Promise<ConfirmDialogResult>;
  showModalDialog(options: ModalDialogOptions): ModalDialogHandle;
  notify(message: string, type?: 'info' | 'warning' | 'error'): void;
  /** @deprecated Use `notify`. */
  showMessage(message: string, type?: 'info' | 'warning' | 'error'): void;
}

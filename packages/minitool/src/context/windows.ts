/** Windows of a desktop: named so that what was written for one compiles. A server has none, and says so when it is asked. */
import type { Event } from './lifetime.ts';

export interface WebviewPanelOptions {
  title: string;
  iconName?: string;
  html: string;
  retainContextWhenHidden?: boolean;
}

export interface WebviewPanel {
  readonly title: string;
  readonly onDidReceiveMessage: Event<unknown>;
  postMessage(message: unknown): Promise<void>;
  setHtml(html: string): void;
  dispose(): void;
  readonly onDidDispose: Event<void>;
}

export type AlwaysOnTopLevel = 'normal' | 'floating';

export interface CanvasWindowOptions {
  entry: string;
  width: number;
  height: number;
  x?: number;
  y?: number;
  alwaysOnTop?: boolean;
  transparent?: boolean;
  resizable?: boolean;
  clickThrough?: boolean;
  allowOffscreen?: boolean;
  hiddenInMissionControl?: boolean;
  visibleOnAllWorkspaces?: boolean;
  alwaysOnTopLevel?: AlwaysOnTopLevel;
  alwaysOnTopRelativeLevel?: number;
  initialData?: unknown;
}

export interface CanvasWindow {
  readonly id: string;
  show(): void;
  hide(): void;
  setAlwaysOnTop(value: boolean, level?: AlwaysOnTopLevel, relativeLevel?: number): void;
  setPosition(x: number, y: number): void;
  setSize(width: number, height: number): void;
  setClickThrough(value: boolean): void;
  postMessage(message: unknown): Promise<void>;
  readonly onDidReceiveMessage: Event<unknown>;
  readonly onDidMove: Event<{ x: number; y: number }>;
  readonly onDidResize: Event<{ width: number; height: number }>;
  dispose(): void;
  readonly onDidDispose: Event<void>;
}

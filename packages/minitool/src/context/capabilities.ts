/** What mini-tools do for each other, and what they contribute. */
import type { Disposable } from './lifetime.ts';

/** A flat set of functions; who uses it always gets promises. */
export type CapabilityImpl = Record<string, (...args: never[]) => unknown>;

export interface CapabilityProvideOptions {
  readonly version?: string;
}

export interface Capabilities {
  /** Only names of `provides.capabilities`. */
  provide(name: string, implementation: CapabilityImpl, options?: CapabilityProvideOptions): Disposable;
  /** Only names of `requires.capabilities`. Calls are refused while nobody provides it. */
  get<T = Record<string, (...args: never[]) => Promise<unknown>>>(name: string): T;
  has(name: string): boolean;
  getVersion(name: string): Promise<string | undefined>;
}

export interface MiniToolContribution<T = unknown> {
  extensionId: string;
  extensionName: string;
  extensionPath: string;
  source: 'global' | 'personal' | 'project';
  value: T;
}

/** What the enabled mini-tools say in `contributes`, by its member: as it is when it is asked for. */
export interface MiniToolContributions {
  listContributions<T = unknown>(point: string): MiniToolContribution<T>[];
}

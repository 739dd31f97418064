/**
 * Port: what runs mini-tools, as those see it who install them and look after them.
 *
 * Contract
 * HP1 `place` runs nothing of a package: it fetches it, looks at it, and puts its files where the server keeps them. It rejects with
 *     `validation_failed` and every fault of the manifest (`errors`), or with what was wrong with the source.
 * HP2 The store says what is to run. After a change there `look` is called: when it resolves, the mini-tool runs as the store wants it,
 *     has failed to, or is on its way; it never rejects for a fault of the mini-tool.
 * HP3 What is said of a mini-tool's condition is of this node; it costs no reading.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { MinitoolRow } from './minitools.ts';

export type MinitoolSource =
  | { readonly kind: 'npm'; readonly name: string; readonly version: string | undefined }
  /** `linked`: it is run where it lies, and not copied, and started again whenever something in it changes. */
  | { readonly kind: 'folder'; readonly path: string; readonly linked: boolean }
  /** A packed package, `.tgz`. */
  | { readonly kind: 'file'; readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

export type PlacedMinitool = Pick<MinitoolRow, 'id' | 'version' | 'source' | 'folder' | 'manifest'>;

/** `waiting`: its process has ended and is started again in a while. `elsewhere`: another node runs it. `missing`: its files are not on this machine. */
export type MinitoolActivity = 'stopped' | 'starting' | 'running' | 'waiting' | 'elsewhere' | 'missing';

export type MinitoolCondition = {
  readonly activity: MinitoolActivity;
  readonly lastCrash: { readonly at: number; readonly reason: string } | null;
};

export type MinitoolLocale = 'en-US' | 'zh-CN';

export type MinitoolText = { readonly title: string; readonly description: string; readonly prompt: string };
export type DescribedContainer = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly icon: string | null;
  readonly mode: 'inbox' | 'assistant';
  readonly starterPrompts: readonly MinitoolText[];
};
export type DescribedField = {
  readonly key: string;
  readonly type: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default: JsonObject[string] | null;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};
export type MinitoolPermissions = {
  readonly filesystem: 'none' | 'read' | 'readwrite';
  readonly network: boolean;
  readonly shell: boolean;
  readonly secrets: readonly string[];
  readonly oauth: readonly string[];
  readonly sessions: boolean;
  readonly sessionInteractions: boolean;
};
/** What a manifest says, in one language. */
export type DescribedMinitool = {
  readonly name: string;
  readonly description: string;
  readonly permissions: MinitoolPermissions;
  readonly containers: readonly DescribedContainer[];
  readonly fields: readonly DescribedField[];
  /** By id, as the manifest lists them. */
  readonly webhooks: readonly string[];
  readonly schedules: readonly string[];
};

export type MinitoolLogEntry = { readonly time: string; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string };

/** A session that a person opens in a container. `key`: the same one gives the same session. */
export type OpenedSession = { readonly containerId: string; readonly title?: string; readonly text?: string; readonly key: string };

export interface MinitoolHost {
  place(source: MinitoolSource): Promise<PlacedMinitool>;
  /**
   * Takes away what was placed and is in no installation's use; of one that is not installed all that was kept in files. `placed` is a
   * folder that `place` gave: it stays until then, and is wanted by the row now or by nobody.
   */
  tidy(id: string, placed?: string): Promise<void>;
  describe(row: Pick<MinitoolRow, 'id' | 'folder' | 'manifest'>, locale: MinitoolLocale): Promise<DescribedMinitool>;
  condition(id: string): MinitoolCondition;
  /** The language of mini-tools in this installation, as far as this node knows. */
  readonly locale: MinitoolLocale;
  /** Another one was set: what runs here, and other nodes, are told of it. */
  localeChanged(): Promise<void>;
  /** `anew`: it is started again also where it runs already, with the settings and files that it has now. */
  look(id: string, anew: boolean): Promise<void>;
  /** As the mini-tool itself would, on the container's agent. Rejects as `ctx.sessions.create` does. */
  openSession(id: string, wanted: OpenedSession): Promise<{ readonly sessionId: string; readonly turnId?: string }>;
  /** The newest entries of its log, the oldest of them first. */
  tail(id: string, count: number): Promise<readonly MinitoolLogEntry[]>;
  /** Tells each entry from now on; the function ends that. */
  follow(id: string, tell: (entry: MinitoolLogEntry) => void): () => void;
}

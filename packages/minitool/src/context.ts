/**
 * `ctx`: everything that a mini-tool can do, handed to its `activate`.
 *
 * Names and shapes are those of the type package that mini-tools are written against, so that they compile and run unchanged;
 * what goes beyond it says so.
 */
import type { Capabilities, MiniToolContributions } from './context/capabilities.ts';
import type { ComposerActionProvider } from './context/composer.ts';
import type { AppLocale, MiniToolI18n } from './context/i18n.ts';
import type { Http, Timers } from './context/ingress.ts';
import type { Secrets, Settings, Storage } from './context/keeping.ts';
import type { Disposable, DisposableLike } from './context/lifetime.ts';
import type { Logger } from './context/logger.ts';
import type { IconDefinition, SessionContainerSettingsMenuProvider, SettingsMenuProvider } from './context/menus.ts';
import type { OAuth } from './context/oauth.ts';
import type { Events, Notifications, Status } from './context/observing.ts';
import type { Sessions } from './context/sessions.ts';
import type { Tools } from './context/tools.ts';
import type { Ui } from './context/ui.ts';

export type AppPlatform = 'aix' | 'android' | 'darwin' | 'freebsd' | 'haiku' | 'linux' | 'netbsd' | 'openbsd' | 'sunos' | 'win32' | 'cygwin';

/** The service that runs the mini-tool. */
export interface AppInfo {
  readonly name: string;
  readonly version: string;
  readonly buildNumber: number;
  readonly versionDisplay: string;
  readonly locale: AppLocale;
  readonly platform: AppPlatform;
  readonly userAgent: string;
  readonly assistantName: string;
}

export interface App {
  getInfo(): Promise<AppInfo>;
}

/** The mini-tool itself. */
export interface MiniToolInfo {
  readonly id: string;
  readonly displayName: string;
  readonly version: string;
  /** Its folder, an absolute path. */
  readonly extensionPath: string;
  readonly isActive: boolean;
  readonly scope: 'global' | 'space';
  readonly spaceId?: string;
}

/** The session as it was when the mini-tool began; on a server, none in particular. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string | undefined;
  readonly spaceId: string | undefined;
  readonly cwd: string | undefined;
  readonly model: string;
}

export interface WorkspaceInfo {
  readonly spaceId: string | undefined;
  readonly spaceName: string | undefined;
  readonly directoryPath: string | undefined;
  readonly projectPath: string | undefined;
}

export interface Icons {
  register(packId: string, icons: Record<string, IconDefinition>): Disposable;
}

/** A menu or a button whose content can change. */
export interface Updatable extends Disposable {
  /** Asks for its content again. */
  notifyUpdate(): void;
}

export interface MiniToolContext {
  /** Disposed in reverse order when the mini-tool is deactivated. */
  readonly subscriptions: DisposableLike[];
  /** @deprecated Use `minitool`. */
  readonly extension: MiniToolInfo;
  readonly minitool: MiniToolInfo;
  /** A folder of its own that stays, an absolute path. */
  readonly storagePath: string;
  readonly tools: Tools;
  readonly composerActions: { register(actionId: string, provider: ComposerActionProvider): Updatable };
  /** Not available: any use of it throws. */
  readonly commands: undefined;
  readonly ui: Ui;
  readonly capabilities: Capabilities;
  readonly icons: Icons;
  /** @deprecated Use `minitools`. */
  readonly extensions: MiniToolContributions;
  readonly minitools: MiniToolContributions;
  readonly events: Events;
  readonly status: Status;
  readonly notifications: Notifications;
  readonly i18n: MiniToolI18n;
  readonly storage: Storage;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly secrets: Secrets;
  readonly oauth: OAuth;
  readonly app: App;
  readonly session: SessionInfo;
  readonly sessions: Sessions;
  readonly sessionContainers: {
    /** @deprecated Use `settingsMenu.register`. */
    registerSettingsMenu(containerId: string, provider: SessionContainerSettingsMenuProvider): Updatable;
  };
  readonly settingsMenu: { register(provider: SettingsMenuProvider): Updatable };
  readonly workspace: WorkspaceInfo;
  /** Beyond the type package: webhooks of the manifest. */
  readonly http: Http;
  /** Beyond the type package: schedules of the manifest. */
  readonly timers: Timers;
}

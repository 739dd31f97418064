/** The manifest as an author may type it. What is read is held to `manifest/schema.ts`, which says the same and more. */
import type { IconRef } from './menus.ts';
import type { ToolCallDisplay } from './tool-display.ts';

export type LocalizedString = string | { readonly default?: string; readonly 'en-US'?: string; readonly 'zh-CN'?: string };

export type MiniToolType = 'official' | 'community' | 'local' | string;
export type ActivationEvent = 'onStartup';

export interface MiniToolPromptGuide {
  readonly id?: string;
  readonly title: LocalizedString;
  readonly prompt: LocalizedString;
  readonly description?: LocalizedString;
}

export interface MiniToolCapabilitySpec {
  readonly capabilities?: readonly string[];
}

export interface McpServerOAuthContribution {
  readonly id?: string;
  readonly providerName?: string;
  readonly providerIcon?: string;
}

export interface McpServerToolMetaContribution {
  readonly titles?: Readonly<Record<string, string>>;
}

export interface McpServerToolDisplayContribution {
  readonly tools?: Readonly<Record<string, ToolCallDisplay>>;
}

export interface McpServerContributionBase {
  readonly name: string;
  readonly description?: string;
  readonly oauth?: McpServerOAuthContribution;
  readonly toolMeta?: McpServerToolMetaContribution;
  readonly toolDisplay?: McpServerToolDisplayContribution;
}

/** Started as a program, reached by an address, or registered while the mini-tool runs. Never put a secret here. */
export type McpServerContribution =
  | (McpServerContributionBase & {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly url?: never;
    })
  | (McpServerContributionBase & {
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly env?: Readonly<Record<string, string>>;
      readonly command?: never;
    })
  | (McpServerContributionBase & { readonly command?: never; readonly url?: never });

export interface IconPackContribution {
  readonly id: string;
  readonly label?: LocalizedString;
  readonly description?: LocalizedString;
}

export interface IconContribution {
  readonly description?: string;
  readonly svg: string;
}

export interface ComposerActionDeclaration {
  readonly id: string;
  readonly icon?: IconRef;
  readonly tooltip?: string;
}

interface MenuEntry {
  readonly icon?: IconRef;
  readonly tooltip?: LocalizedString;
}

/** Where sessions of the mini-tool stand. `inbox`: it creates them. `assistant`: people do, with the profile's role. */
export interface SessionContainerContribution {
  readonly id: string;
  readonly icon?: IconRef;
  readonly title?: LocalizedString;
  readonly description?: LocalizedString;
  /** @deprecated Use `contributes.settingsMenu`. */
  readonly settingsMenu?: MenuEntry;
  readonly mode?: 'inbox' | 'assistant';
  /** An id of `contributes.agentProfiles`; an `assistant` needs one. */
  readonly agentProfile?: string;
  readonly starterPrompts?: readonly { readonly title: LocalizedString; readonly description?: LocalizedString; readonly prompt: LocalizedString }[];
}

/** Beyond the type package: requests from outside that the server verifies, keeps and delivers. */
export interface WebhookContribution {
  readonly id: string;
  readonly verify:
    | 'none'
    | 'slack'
    | 'telegram'
    | 'github'
    | 'stripe'
    | 'standard-webhooks'
    | {
        /** `hmac-sha256`: in hex, over the body. `token`: the secret itself. A platform: its own rule, with a secret by another name. */
        readonly type: 'hmac-sha256' | 'token' | 'slack' | 'telegram' | 'github' | 'stripe' | 'standard-webhooks';
        readonly header: string;
        readonly secret: string;
      };
  readonly dedupe?: string;
  readonly orderKey?: string;
  readonly maxBodyBytes?: number;
}

/** Beyond the type package: what happens by time. Exactly one of `cron` and `everySeconds`. */
export interface ScheduleContribution {
  readonly id: string;
  readonly cron?: string;
  readonly everySeconds?: number;
  readonly timezone?: string;
  readonly missed?: 'skip' | 'once';
}

export interface MiniToolPermissions {
  /** Beyond its own folder and `storagePath`. */
  readonly filesystem?: 'none' | 'read' | 'readwrite';
  readonly network?: boolean;
  readonly shell?: boolean;
  /** Names, or prefixes like `mcp.*`. */
  readonly secrets?: string[];
  readonly oauth?: string[];
  readonly sessions?: boolean;
  /** To answer what its own sessions wait for. Reading waits needs `sessions` only. */
  readonly sessionInteractions?: boolean;
}

export interface MiniToolManifest {
  readonly manifestVersion: 1;
  readonly minVersion?: string;
  readonly id: string;
  readonly name: LocalizedString;
  /** @deprecated Use `name`. */
  readonly displayName?: LocalizedString;
  readonly description?: LocalizedString;
  readonly systemPrompt?: LocalizedString;
  readonly promptGuides?: readonly MiniToolPromptGuide[];
  readonly main: string;
  readonly activationEvents?: ActivationEvent[];
  readonly contributes?: {
    readonly tools?: boolean;
    readonly composerActions?: ComposerActionDeclaration[];
    readonly settingsMenu?: MenuEntry;
    readonly iconPacks?: readonly IconPackContribution[];
    readonly icons?: Record<string, IconContribution>;
    readonly skills?: boolean;
    readonly mcpServers?: McpServerContribution[];
    readonly sessionContainers?: readonly SessionContainerContribution[];
    readonly agentProfiles?: readonly {
      readonly id: string;
      readonly name?: LocalizedString;
      readonly description?: LocalizedString;
      readonly prompt: LocalizedString;
    }[];
    readonly webhooks?: readonly WebhookContribution[];
    readonly schedules?: readonly ScheduleContribution[];
  };
  readonly permissions?: MiniToolPermissions;
  readonly autoEnable?: boolean;
  readonly miniToolType?: MiniToolType;
  /** @deprecated Use `miniToolType`. */
  readonly extensionType?: MiniToolType;
  readonly categories?: readonly string[];
  readonly privacyPolicyUrl?: string;
  readonly termsOfServiceUrl?: string;
  readonly provides?: MiniToolCapabilitySpec;
  readonly requires?: MiniToolCapabilitySpec;
}

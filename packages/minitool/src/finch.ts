/**
 * What `import type * as finch from 'finch'` means: point the alias `finch` of a tsconfig's `paths` here.
 *
 * Types alone. Nothing of this is there when a mini-tool runs: what it can do comes in as `ctx`.
 */
import type * as capabilities from './context/capabilities.ts';
import type * as composer from './context/composer.ts';
import type * as forms from './context/forms.ts';
import type * as i18n from './context/i18n.ts';
import type * as ingress from './context/ingress.ts';
import type * as keeping from './context/keeping.ts';
import type * as lifetime from './context/lifetime.ts';
import type * as logger from './context/logger.ts';
import type * as manifest from './context/manifest-types.ts';
import type * as menus from './context/menus.ts';
import type * as oauth from './context/oauth.ts';
import type * as observing from './context/observing.ts';
import type * as sessionEvents from './context/session-events.ts';
import type * as sessionWaits from './context/session-waits.ts';
import type * as sessions from './context/sessions.ts';
import type * as toolDisplay from './context/tool-display.ts';
import type * as toolSearch from './context/tool-search.ts';
import type * as tools from './context/tools.ts';
import type * as ui from './context/ui.ts';
import type * as windows from './context/windows.ts';
import type * as context from './context.ts';

export type AppPlatform = context.AppPlatform;
export type AppInfo = context.AppInfo;
export type App = context.App;
export type MiniToolInfo = context.MiniToolInfo;
export type SessionInfo = context.SessionInfo;
export type WorkspaceInfo = context.WorkspaceInfo;
export type Icons = context.Icons;
export type Updatable = context.Updatable;
export type MiniToolContext = context.MiniToolContext;
export type Disposable = lifetime.Disposable;
export type Event<T> = lifetime.Event<T>;
export type EventEmitter<T> = lifetime.EventEmitter<T>;
export type CancellationToken = lifetime.CancellationToken;
export type Uri = lifetime.Uri;
export type MarkdownString = lifetime.MarkdownString;
export type MinitoolSessionActivity = sessions.MinitoolSessionActivity;
export type SessionPermissionMode = sessions.SessionPermissionMode;
export type MinitoolSessionDescriptor = sessions.MinitoolSessionDescriptor;
export type CreatedSession = sessions.CreatedSession;
export type CreatedSessionWithTurn = sessions.CreatedSessionWithTurn;
export type SessionMessageAttachmentKind = sessions.SessionMessageAttachmentKind;
export type SessionMessageAttachment = sessions.SessionMessageAttachment;
export type SessionUserMessage = sessions.SessionUserMessage;
export type SessionCreateOptions = sessions.SessionCreateOptions;
export type SessionListOptions = sessions.SessionListOptions;
export type SessionSendOptions = sessions.SessionSendOptions;
export type SessionSendReceipt = sessions.SessionSendReceipt;
export type SessionWaitOptions = sessions.SessionWaitOptions;
export type SessionTurnWaitResult = sessions.SessionTurnWaitResult;
export type Sessions = sessions.Sessions;
export type SessionDurableEvent = sessionEvents.SessionDurableEvent;
export type SessionBridgeEvent = sessionEvents.SessionBridgeEvent;
export type SessionEventQuery = sessionEvents.SessionEventQuery;
export type SessionEventPage = sessionEvents.SessionEventPage;
export type SessionWaitKind = sessionWaits.SessionWaitKind;
export type SessionWaitResolver = sessionWaits.SessionWaitResolver;
export type SessionWaitBase = sessionWaits.SessionWaitBase;
export type SessionPermissionWait = sessionWaits.SessionPermissionWait;
export type SessionQuestionWait = sessionWaits.SessionQuestionWait;
export type SessionFormWait = sessionWaits.SessionFormWait;
export type SessionWait = sessionWaits.SessionWait;
export type SessionWaitResponse = sessionWaits.SessionWaitResponse;
export type SessionWaitRespondResult = sessionWaits.SessionWaitRespondResult;
export type SessionWaitPollOptions = sessionWaits.SessionWaitPollOptions;
export type ToolProgressUpdate = tools.ToolProgressUpdate;
export type ToolProgress = tools.ToolProgress;
export type ToolProgressMode = tools.ToolProgressMode;
export type ToolExposure = tools.ToolExposure;
export type ToolUi = tools.ToolUi;
export type ToolExecutionContext = tools.ToolExecutionContext;
export type ToolContent = tools.ToolContent;
export type ToolResult = tools.ToolResult;
export type JsonSchema = tools.JsonSchema;
export type ToolDefinition<TInput extends Record<string, unknown> = Record<string, unknown>> = tools.ToolDefinition<TInput>;
export type Tools = tools.Tools;
export type ToolSearchQuery = toolSearch.ToolSearchQuery;
export type ToolSearchContext = toolSearch.ToolSearchContext;
export type ToolSearchResult = toolSearch.ToolSearchResult;
export type ToolSearchProvider = toolSearch.ToolSearchProvider;
export type ToolInlineDisplayFormat = toolDisplay.ToolInlineDisplayFormat;
export type ToolInlineDisplayField = toolDisplay.ToolInlineDisplayField;
export type ToolInlineDisplaySpec = toolDisplay.ToolInlineDisplaySpec;
export type ToolCallDisplay = toolDisplay.ToolCallDisplay;
export type MiniToolFormField = forms.MiniToolFormField;
export type MiniToolFormSpec = forms.MiniToolFormSpec;
export type MiniToolFormResult = forms.MiniToolFormResult;
export type Storage = keeping.Storage;
export type Settings = keeping.Settings;
export type Secrets = keeping.Secrets;
export type Logger = logger.Logger;
export type IconRef = menus.IconRef;
export type IconDefinition = menus.IconDefinition;
export type ComposerActionMenuItemTrailingButton = menus.ComposerActionMenuItemTrailingButton;
export type ComposerActionMenuItem = menus.ComposerActionMenuItem;
export type SessionContainerSettingsMenuContext = menus.SessionContainerSettingsMenuContext;
export type SessionContainerSettingsMenuProvider = menus.SessionContainerSettingsMenuProvider;
export type SettingsMenuSurface = menus.SettingsMenuSurface;
export type SettingsMenuContext = menus.SettingsMenuContext;
export type SettingsMenuProvider = menus.SettingsMenuProvider;
export type ComposerSurface = composer.ComposerSurface;
export type ComposerActionContext = composer.ComposerActionContext;
export type ComposerActionBadge = composer.ComposerActionBadge;
export type ComposerFillMode = composer.ComposerFillMode;
export type ComposerFillOptions = composer.ComposerFillOptions;
export type ComposerConfirmOptions = composer.ComposerConfirmOptions;
export type ComposerConfirmResult = composer.ComposerConfirmResult;
export type ComposerActionComposerActions = composer.ComposerActionComposerActions;
export type ComposerActionActions = composer.ComposerActionActions;
export type ComposerActionProvider = composer.ComposerActionProvider;
export type ToastVariant = ui.ToastVariant;
export type ToastPosition = ui.ToastPosition;
export type ToastActionOptions = ui.ToastActionOptions;
export type ToastOptions = ui.ToastOptions;
export type ToastResult = ui.ToastResult;
export type DialogButtonVariant = ui.DialogButtonVariant;
export type ConfirmDialogOptions = ui.ConfirmDialogOptions;
export type ConfirmDialogResult = ui.ConfirmDialogResult;
export type ModalDialogActionOptions = ui.ModalDialogActionOptions;
export type ModalDialogOptions = ui.ModalDialogOptions;
export type ModalDialogResult = ui.ModalDialogResult;
export type ModalDialogHandle = ui.ModalDialogHandle;
export type Ui = ui.Ui;
export type WebviewPanelOptions = windows.WebviewPanelOptions;
export type WebviewPanel = windows.WebviewPanel;
export type AlwaysOnTopLevel = windows.AlwaysOnTopLevel;
export type CanvasWindowOptions = windows.CanvasWindowOptions;
export type CanvasWindow = windows.CanvasWindow;
export type CapabilityImpl = capabilities.CapabilityImpl;
export type CapabilityProvideOptions = capabilities.CapabilityProvideOptions;
export type Capabilities = capabilities.Capabilities;
export type MiniToolContribution<T = unknown> = capabilities.MiniToolContribution<T>;
export type MiniToolContributions = capabilities.MiniToolContributions;
export type AgentEventKind = observing.AgentEventKind;
export type AgentTokenUsage = observing.AgentTokenUsage;
export type AgentEvent = observing.AgentEvent;
export type Events = observing.Events;
export type FinchStatus = observing.FinchStatus;
export type FinchStatusSnapshot = observing.FinchStatusSnapshot;
export type Status = observing.Status;
export type FinchNotificationKind = observing.FinchNotificationKind;
export type FinchNotificationEvent = observing.FinchNotificationEvent;
export type Notifications = observing.Notifications;
export type AppLocale = i18n.AppLocale;
export type LocalePreference = i18n.LocalePreference;
export type TranslationValue = i18n.TranslationValue;
export type TranslationValues = i18n.TranslationValues;
export type MiniToolI18n = i18n.MiniToolI18n;
export type OAuthProviderConfig = oauth.OAuthProviderConfig;
export type OAuthStatus = oauth.OAuthStatus;
export type OAuthRequestInit = oauth.OAuthRequestInit;
export type OAuthResponse = oauth.OAuthResponse;
export type OAuthInteractiveAuthorization = oauth.OAuthInteractiveAuthorization;
export type OAuthAuthorizationCode = oauth.OAuthAuthorizationCode;
export type OAuth = oauth.OAuth;
export type WebhookDelivery = ingress.WebhookDelivery;
export type Http = ingress.Http;
export type ScheduleFire = ingress.ScheduleFire;
export type Timers = ingress.Timers;

export type MiniToolManifest = manifest.MiniToolManifest;
export type MiniToolPermissions = manifest.MiniToolPermissions;
export type MiniToolPromptGuide = manifest.MiniToolPromptGuide;
export type MiniToolCapabilitySpec = manifest.MiniToolCapabilitySpec;
export type MiniToolType = manifest.MiniToolType;
export type LocalizedString = manifest.LocalizedString;
export type SessionContainerContribution = manifest.SessionContainerContribution;
export type McpServerContribution = manifest.McpServerContribution;
export type McpServerContributionBase = manifest.McpServerContributionBase;
export type McpServerOAuthContribution = manifest.McpServerOAuthContribution;
export type McpServerToolMetaContribution = manifest.McpServerToolMetaContribution;
export type McpServerToolDisplayContribution = manifest.McpServerToolDisplayContribution;
export type ActivationEvent = manifest.ActivationEvent;
export type IconPackContribution = manifest.IconPackContribution;
export type IconContribution = manifest.IconContribution;
export type ComposerActionDeclaration = manifest.ComposerActionDeclaration;
export type WebhookContribution = manifest.WebhookContribution;
export type ScheduleContribution = manifest.ScheduleContribution;

/** @deprecated Use MiniToolContext. */
export type ExtensionContext = MiniToolContext;
/** @deprecated Use MiniToolInfo. */
export type ExtensionInfo = MiniToolInfo;
/** @deprecated Use MiniToolFormField. */
export type ExtensionFormField = MiniToolFormField;
/** @deprecated Use MiniToolFormSpec. */
export type ExtensionFormSpec = MiniToolFormSpec;
/** @deprecated Use MiniToolFormResult. */
export type ExtensionFormResult = MiniToolFormResult;
/** @deprecated Use MiniToolContribution. */
export type ExtensionContribution<T = unknown> = MiniToolContribution<T>;
/** @deprecated Use MiniToolContributions. */
export type Extensions = MiniToolContributions;
/** @deprecated Use MiniToolI18n. */
export type ExtensionI18n = MiniToolI18n;
/** @deprecated Use MiniToolPromptGuide. */
export type ExtensionPromptGuide = MiniToolPromptGuide;
/** @deprecated Use MiniToolCapabilitySpec. */
export type ExtensionCapabilitySpec = MiniToolCapabilitySpec;
/** @deprecated Use MiniToolManifest. */
export type ExtensionManifest = MiniToolManifest;
/** @deprecated Use MiniToolPermissions. */
export type ExtensionPermissions = MiniToolPermissions;

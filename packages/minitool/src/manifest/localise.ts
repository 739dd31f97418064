/** The texts of a manifest in one language: what `i18n/<locale>.json` says, else what the manifest says for it, else its default. */
import { type Locale, locales, type MessagesByLocale, messageAt } from '../messages.ts';
import type { AgentProfile, LocalizedString, Manifest, SessionContainer, SettingsField } from './schema.ts';

/** One text in one language, by the manifest alone. */
export const localised = (text: LocalizedString, locale: Locale): string => {
  if (typeof text === 'string') return text;
  const byLocale = locales.map((each) => text[each]);
  return text[locale] ?? text.default ?? byLocale.find((each) => each !== undefined) ?? '';
};

/** A text of a manifest by its key in the language files: what those say for the language, else what the manifest does; `otherwise` where neither has one. */
export const textIn = (messages: MessagesByLocale, locale: Locale, key: string, text: LocalizedString | undefined, otherwise = ''): string =>
  messageAt(messages[locale], key) ?? messageAt(messages[locale], `contributes.${key}`) ?? (text === undefined ? otherwise : localised(text, locale));

/** What a container's agent is told. */
export const profilePromptIn = (messages: MessagesByLocale, locale: Locale, { id, prompt }: Pick<AgentProfile, 'id' | 'prompt'>): string =>
  textIn(messages, locale, `agentProfiles.${id}.prompt`, prompt);

export type LocalisedContainer = Omit<SessionContainer, 'title' | 'description' | 'starterPrompts'> & {
  readonly title: string;
  readonly description: string;
  readonly starterPrompts: readonly { readonly title: string; readonly description: string; readonly prompt: string }[];
};
export type LocalisedProfile = Omit<AgentProfile, 'name' | 'description' | 'prompt'> & {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
};
export type LocalisedField = Omit<SettingsField, 'label' | 'description' | 'placeholder'> & {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
};
/** What people and models are shown of a manifest; a text that it does not have is empty. */
export type LocalisedManifest = {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly sessionContainers: readonly LocalisedContainer[];
  readonly agentProfiles: readonly LocalisedProfile[];
  readonly settingsFields: readonly LocalisedField[];
};

type TextOf = (key: string, text: LocalizedString | undefined, otherwise?: string) => string;

const containerIn = (container: SessionContainer, textOf: TextOf): LocalisedContainer => {
  const key = `sessionContainers.${container.id}`;
  return {
    ...container,
    title: textOf(`${key}.title`, container.title, container.id),
    description: textOf(`${key}.description`, container.description),
    starterPrompts: (container.starterPrompts ?? []).map((each, at) => ({
      title: textOf(`${key}.starterPrompts[${at}].title`, each.title),
      description: textOf(`${key}.starterPrompts[${at}].description`, each.description),
      prompt: textOf(`${key}.starterPrompts[${at}].prompt`, each.prompt),
    })),
  };
};

const profileIn = (profile: AgentProfile, textOf: TextOf): LocalisedProfile => {
  const key = `agentProfiles.${profile.id}`;
  return {
    ...profile,
    name: textOf(`${key}.name`, profile.name, profile.id),
    description: textOf(`${key}.description`, profile.description),
    prompt: textOf(`${key}.prompt`, profile.prompt),
  };
};

const fieldIn = (field: SettingsField, textOf: TextOf): LocalisedField => {
  const key = `settings.${field.key}`;
  return {
    ...field,
    label: textOf(`${key}.label`, field.label, field.key),
    description: textOf(`${key}.description`, field.description),
    placeholder: textOf(`${key}.placeholder`, field.placeholder),
  };
};

/** The texts of a manifest in a language. */
export const localiseManifest = (manifest: Manifest, locale: Locale, messages: MessagesByLocale = {}): LocalisedManifest => {
  const textOf: TextOf = (key, text, otherwise) => textIn(messages, locale, key, text, otherwise);
  return {
    name: textOf('name', manifest.name),
    description: textOf('description', manifest.description),
    systemPrompt: textOf('systemPrompt', manifest.systemPrompt),
    sessionContainers: manifest.contributes.sessionContainers.map((each) => containerIn(each, textOf)),
    agentProfiles: manifest.contributes.agentProfiles.map((each) => profileIn(each, textOf)),
    settingsFields: manifest.settings.fields.map((each) => fieldIn(each, textOf)),
  };
};

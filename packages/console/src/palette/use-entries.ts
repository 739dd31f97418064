import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useCommandAccess } from '../composer/command-access.ts';
import { languageNames } from '../i18n/catalogues.ts';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { language } from '../preferences/language.ts';
import { theme, themes } from '../preferences/theme.ts';
import { addressOf, go, type Place } from '../shell/address.ts';
import { openDocs } from '../shell/docs-address.ts';
import { pagesFor, type Reach } from '../shell/nav-pages.ts';
import { copyText } from '../ui/copy-text.ts';
import { offeredCommands } from './commands.ts';
import { type CopyForm, copyForms, idShown } from './copy-forms.ts';
import type { Entry } from './entries.ts';

const settleMs = 150;
const mostSessions = 8;

/** Sessions by title or the beginning of their id; the newest where nothing was typed. */
const useFoundSessions = (typed: string): readonly SessionResource[] => {
  const { client } = useSignedIn();
  const [found, setFound] = useState<readonly SessionResource[]>([]);
  const q = typed.trim();
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        client.sessions.list({ status: 'all', order: 'updated', limit: mostSessions, ...(q === '' ? {} : { q }) }, { signal: controller.signal }).then(
          ({ items }) => setFound(items),
          // What cannot be looked for now is not offered; pages and actions are.
          () => controller.signal.aborted || setFound([]),
        );
      },
      q === '' ? 0 : settleMs,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, q]);
  return found;
};

const formTexts: Record<CopyForm, TextKey> = { curl: 'copyAsCurl', cli: 'copyAsCli', typescript: 'copyAsTypeScript' };

/** What the palette offers here and now. */
export const useEntries = (place: Place, reach: Reach, typed: string): readonly Entry[] => {
  const t = useText();
  const { user } = useSignedIn();
  const access = useCommandAccess();
  const sessions = useFoundSessions(typed);
  // What is offered stays the same while the palette is open.
  const [commands] = useState(offeredCommands);
  const id = idShown(place);
  const forms = copyForms(place, user?.roles.includes('admin') === true, Date.now());
  const here: Entry[] = [
    ...commands.map(({ id: name, text, run }): Entry => ({ id: name, group: 'groupHere', text, run })),
    { id: 'copy-link', group: 'groupHere', text: t('copyLink'), run: () => void copyText(new URL(addressOf(place), location.href).href) },
    ...(id === undefined ? [] : [{ id: 'copy-id', group: 'groupHere' as const, text: t('copyId'), note: id, run: () => void copyText(id) }]),
    ...(Object.keys(forms) as CopyForm[]).map(
      (form): Entry => ({
        id: `copy-${form}`,
        group: 'groupHere',
        text: t(formTexts[form]),
        run: () => void access().then((by) => copyText(forms[form]?.(by) ?? '')),
      }),
    ),
  ];
  const pages = pagesFor(reach).map(
    ({ text, to, key }): Entry => ({ id: `page-${text}`, group: 'groupPages', text: t(text), note: `G ${key.toUpperCase()}`, run: () => go(to) }),
  );
  return [
    ...here,
    { id: 'new-chat', group: 'groupPages', text: t('newChat'), run: () => go({ kind: 'new' }) },
    ...pages,
    { id: 'api-reference', group: 'groupPages', text: t('apiReferenceHint'), run: openDocs },
    ...sessions.map(
      (session): Entry => ({
        id: session.id,
        group: 'groupSessions',
        text: session.title || t('untitled'),
        note: session.id,
        found: true,
        run: () => go({ kind: 'session', id: session.id }),
      }),
    ),
    ...themes.map(
      (name): Entry => ({ id: `theme-${name}`, group: 'groupPreferences', text: t('themeIs', { name: t(themeTexts[name]) }), run: () => theme.set(name) }),
    ),
    ...(Object.keys(languageNames) as (keyof typeof languageNames)[]).map(
      (name): Entry => ({
        id: `language-${name}`,
        group: 'groupPreferences',
        text: t('languageIs', { name: languageNames[name] }),
        run: () => language.set(name),
      }),
    ),
  ];
};

const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

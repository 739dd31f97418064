import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Select } from '../ui/select.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';

/** Each by its own name, as people look for it. */
const languages = { 'en-US': 'English', 'zh-CN': '中文' } as const;
type Language = keyof typeof languages;

/** The language in which mini-tools speak to models, and to people who have no say in it. */
export const MinitoolLanguage = () => {
  const t = useText();
  const { minitools } = useClient();
  const loaded = useLoaded(useCallback(() => minitools.defaults(), [minitools]));
  const { busy, fault, act } = useAct();
  const set = async (value: string): Promise<void> => {
    await act(() => minitools.putDefaults({ locale: value === '' ? null : (value as Language) }));
    loaded.reload();
  };
  return (
    <Panel title={t('minitoolLanguageTitle')} hint={t('minitoolLanguageHint')}>
      <LoadState loaded={loaded} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {loaded.data ? (
        <Select
          aria-label={t('minitoolLanguageTitle')}
          value={loaded.data.locale ?? ''}
          disabled={busy}
          className="min-w-0 sm:max-w-sm"
          onChange={(event) => void set(event.target.value)}
        >
          <option value="">
            {loaded.data.locale === null ? t('languageOfServerNow', { language: languages[loaded.data.localeInForce] }) : t('languageOfServer')}
          </option>
          {Object.entries(languages).map(([locale, name]) => (
            <option key={locale} value={locale} lang={locale}>
              {name}
            </option>
          ))}
        </Select>
      ) : null}
    </Panel>
  );
};

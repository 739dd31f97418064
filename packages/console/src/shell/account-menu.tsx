import { LogOut, Settings2 } from 'lucide-react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { type Language, languageNames } from '../i18n/catalogues.ts';
import { useText } from '../i18n/use-text.ts';
import { language } from '../preferences/language.ts';
import { type Theme, theme, themes } from '../preferences/theme.ts';
import { useStored } from '../preferences/use-stored.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';

const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

export const AccountMenu = () => {
  const t = useText();
  const { user, signOut } = useSignedIn();
  const name = user?.displayName || user?.username || '…';
  const trigger = (
    <button
      type="button"
      aria-label={`${name}, ${t('account')}`}
      className="flex w-full items-center gap-3 rounded-xl px-3 py-2.5 text-left text-sm text-ink-soft transition-colors duration-150 hover:bg-sunken hover:text-ink"
    >
      {/* The letter is no text: the button's name is what stands beside it. */}
      <span
        aria-hidden
        data-initial={[...name][0]}
        className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase before:content-[attr(data-initial)]"
      />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <Settings2 aria-hidden className="size-4 shrink-0" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={t('theme')}
        value={useStored(theme)}
        options={themes.map((value) => ({ value, label: t(themeTexts[value]) }))}
        onChange={(value) => theme.set(value as Theme)}
      />
      <MenuSeparator />
      <MenuChoice
        label={t('language')}
        value={useStored(language)}
        options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        onChange={(value) => language.set(value as Language)}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden className="size-4" />} onSelect={() => signOut()}>
        {t('signOut')}
      </MenuItem>
    </Menu>
  );
};

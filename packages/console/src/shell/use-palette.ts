import { useLayoutEffect, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { useKeys, useListedKeys } from '../ui/use-keys.ts';

const isMac = /mac|iphone|ipad/i.test(typeof navigator === 'undefined' ? '' : navigator.platform);
export const paletteKeys = isMac ? '⌘ K' : 'Ctrl K';

/** What is open above the page: the palette (Ctrl/Cmd+K, also while somebody writes) or the list of keys (`?`). */
export const usePalette = () => {
  const t = useText();
  const [shown, setShown] = useState<'palette' | 'keys'>();
  useListedKeys([{ keys: paletteKeys, text: t('keysOfPalette') }]);
  useKeys({ '?': { text: t('keysOfKeys'), act: () => setShown('keys') } });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
      // The browser would search the web.
      event.preventDefault();
      if (document.querySelector('dialog[open]')) return;
      setShown('palette');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return { shown, open: () => setShown('palette'), close: () => setShown(undefined) };
};

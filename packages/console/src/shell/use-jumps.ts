import { useLayoutEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { keyName, keysRest, useListedKeys } from '../ui/use-keys.ts';
import { go } from './address.ts';
import { pagesFor, type Reach } from './nav-pages.ts';

/** So long `g` waits for the key behind it. */
const patienceMs = 1_500;

/** `g` and the key of a page goes there. The second key comes to no other part of the page. */
export const useJumps = (reach: Reach): void => {
  const t = useText();
  const pages = pagesFor(reach);
  useListedKeys(pages.map(({ text, key }) => ({ keys: `G ${key.toUpperCase()}`, text: t('goTo', { page: t(text) }) })));
  useLayoutEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      const key = keyName(event);
      if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || keysRest(event.target, key)) return;
      const waits = event.timeStamp - pressedAt < patienceMs;
      pressedAt = key === 'g' && !waits ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = waits ? pagesFor(reach).find((known) => known.key === key) : undefined;
      if (!page) return;
      event.preventDefault();
      go(page.to);
    };
    // Before all others: what is prevented is no key to them.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [reach]);
};

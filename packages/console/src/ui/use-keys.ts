import { useLayoutEffect, useRef } from 'react';
import { type ListedKey, listKeysOf } from './key-registry.ts';

export type KeyAct = (event: KeyboardEvent) => void;
/** What a key does; with `text` it stands in the list of keys (`?`). */
export type Keys = { readonly [key: string]: KeyAct | { readonly text: string; readonly act: KeyAct } | undefined };

const takesText = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button', 'submit'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
};
/** Arrows move within a group of radio buttons. */
const movesItself = (target: EventTarget | null, key: string): boolean => target instanceof HTMLInputElement && key.startsWith('Arrow');

/** Whether single keys are no keys now: somebody writes, or a dialog or a menu is open. */
export const keysRest = (target: EventTarget | null, key: string): boolean =>
  takesText(target) || movesItself(target, key) || document.querySelector('dialog[open], [role=menu]') !== null;

/** The name by which a key is bound: lower case. */
export const keyName = (event: Pick<KeyboardEvent, 'key'>): string => (event.key.length === 1 ? event.key.toLowerCase() : event.key);

const arrows: { readonly [key: string]: string } = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };
const shown = (key: string): string => arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** Keys that something else acts on, e.g. a field on its Enter: for the list only. */
export const useListedKeys = (keys: readonly ListedKey[], enabled = true): void => {
  const current = useRef(keys);
  useLayoutEffect(() => {
    current.current = keys;
  });
  useLayoutEffect(() => (enabled ? listKeysOf(current) : undefined), [enabled]);
};

/**
 * Single keys of a page, by lower-case name. They are no keys while somebody writes, while a dialog or a menu is open,
 * or with a modifier: those belong to the browser. A key that is held down counts once.
 *
 * They work from the moment in which what they act on is there to be seen (layout effects): a key that is pressed then is not lost,
 * and acts on nothing that was shown before.
 */
export const useKeys = (keys: Keys, enabled = true): void => {
  const current = useRef(keys);
  useLayoutEffect(() => {
    current.current = keys;
  });
  const listed = Object.entries(keys).flatMap(([key, does]) => (typeof does === 'object' ? [{ keys: shown(key), text: does.text }] : []));
  useListedKeys(listed, enabled);
  useLayoutEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = keyName(event);
      const does = current.current[key];
      if (!does || keysRest(event.target, key)) return;
      event.preventDefault();
      (typeof does === 'object' ? does.act : does)(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [enabled]);
};

/** What can be done on the part of the page that is there, for the palette. Given anew with each rendering: it is read when the palette opens. */
import { useEffect, useRef } from 'react';

export type Command = { readonly id: string; readonly text: string; readonly run: () => void };
type Source = { readonly current: readonly Command[] };

const sources = new Set<Source>();

export const offeredCommands = (): readonly Command[] => [...sources].flatMap(({ current }) => current);

/** Offers these as long as the caller is shown. */
export const useCommands = (commands: readonly Command[]): void => {
  const current = useRef(commands);
  useEffect(() => {
    current.current = commands;
  });
  useEffect(() => {
    sources.add(current);
    return () => {
      sources.delete(current);
    };
  }, []);
};

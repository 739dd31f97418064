/** A list as a table for people, or as it is with `--json`. */
import type { Printer } from '../command-context.ts';
import { type Cell, tableLines } from './table.ts';

export const printList = <Item>(
  { json, print, printJson, note }: Printer,
  items: readonly Item[],
  { row, none }: { readonly row: (item: Item) => readonly Cell[]; readonly none: string },
): void => {
  if (json) {
    printJson({ items });
    return;
  }
  if (items.length === 0) note(none);
  for (const line of tableLines(items.map(row))) print(line);
};

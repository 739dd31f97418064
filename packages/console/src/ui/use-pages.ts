import { useCallback, useEffect, useState } from 'react';
import { type Loaded, useLoaded } from './use-loaded.ts';

/** `next`: what the following page is asked for with; undefined on the last one. */
export type ListPage<Item> = { readonly items: readonly Item[]; readonly next: string | undefined };
export type Pages<Item> = {
  /** Of the first page: whether it is there, and why not. */
  readonly first: Loaded<ListPage<Item>>;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly showMore: () => void;
};

type Further<Item> = { readonly of: unknown; readonly items: readonly Item[]; readonly next: string | undefined };

/** A list, page after page, from its beginning whenever `read` is another function (memoize it). */
export const usePages = <Item>(read: (after: string | undefined) => Promise<ListPage<Item>>, everyMs?: number): Pages<Item> => {
  const first = useLoaded(
    useCallback(() => read(undefined), [read]),
    everyMs,
  );
  const [further, setFurther] = useState<Further<Item>>();
  const [wanted, setWanted] = useState<string>();
  const mine = further?.of === read ? further : undefined;
  const next = mine ? mine.next : first.data?.next;
  useEffect(() => {
    if (wanted === undefined) return;
    let here = true;
    void read(wanted).then(
      (page) => {
        if (!here) return;
        setFurther((before) => ({ of: read, items: [...(before?.of === read ? before.items : []), ...page.items], next: page.next }));
        setWanted(undefined);
      },
      () => here && setWanted(undefined),
    );
    return () => {
      here = false;
    };
  }, [read, wanted]);
  return { first, items: [...(first.data?.items ?? []), ...(mine?.items ?? [])], hasMore: next !== undefined, showMore: () => setWanted(next) };
};

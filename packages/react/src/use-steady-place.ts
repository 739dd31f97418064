import { type RefObject, useLayoutEffect, useRef } from 'react';

const topOf = (element: Element): number => element.getBoundingClientRect().top;

type Landmark = { readonly element: Element; readonly above: number };

/** The first of what is shown, with what stands above each. More than one: the first may be gone when more is known of its turn. */
const landmarksIn = (content: Element): readonly Landmark[] => {
  const top = topOf(content);
  const first = [...(content.querySelector('.tk-turn')?.children ?? [])].slice(0, 3);
  return first.map((element) => ({ element, above: topOf(element) - top }));
};

/**
 * What comes in above moves nothing of what is looked at: what was first before stays where it was on the screen. `first` tells one
 * beginning from another.
 */
export const useSteadyPlace = (scrollRef: RefObject<HTMLElement | null>, contentRef: RefObject<HTMLElement | null>, first: string | undefined): void => {
  const before = useRef<{ readonly first: string | undefined; readonly landmarks: readonly Landmark[] }>(undefined);
  useLayoutEffect(() => {
    const [scroll, content] = [scrollRef.current, contentRef.current];
    if (!scroll || !content) return;
    const last = before.current?.first === first ? undefined : before.current?.landmarks.find(({ element }) => element.isConnected);
    if (last) scroll.scrollTop += topOf(last.element) - topOf(content) - last.above;
    before.current = { first, landmarks: landmarksIn(content) };
  });
};

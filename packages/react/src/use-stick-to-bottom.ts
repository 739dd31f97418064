import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const slack = 48;

/**
 * Keeps a scrolled list at its end while the reader is there, and leaves it alone while they read further up.
 * Follows what the content does to its height, whatever the reason: tokens, cards that open, images, fonts.
 */
export const useStickToBottom = (): {
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly contentRef: RefObject<HTMLDivElement | null>;
  readonly atBottom: boolean;
  readonly toBottom: () => void;
  /** Something else is to be looked at: the end is not followed any more. */
  readonly letGo: () => void;
} => {
  const scrollRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [atBottom, setAtBottom] = useState(true);

  useEffect(() => {
    const scroll = scrollRef.current;
    const content = contentRef.current;
    if (!scroll || !content) return;
    let lastTop = scroll.scrollTop;
    const look = (): void => {
      const near = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < slack;
      // Only a reader's own scrolling up lets go: growth of the content alone never does.
      if (near) sticks.current = true;
      else if (scroll.scrollTop < lastTop) sticks.current = false;
      lastTop = scroll.scrollTop;
      setAtBottom(sticks.current);
    };
    const follow = (): void => {
      if (sticks.current) scroll.scrollTop = scroll.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(content);
    observer.observe(scroll);
    scroll.addEventListener('scroll', look, { passive: true });
    follow();
    return () => {
      observer.disconnect();
      scroll.removeEventListener('scroll', look);
    };
  }, []);

  const toBottom = useCallback(() => {
    sticks.current = true;
    setAtBottom(true);
    const scroll = scrollRef.current;
    if (scroll) scroll.scrollTop = scroll.scrollHeight;
  }, []);
  const letGo = useCallback(() => {
    sticks.current = false;
  }, []);
  return { scrollRef, contentRef, atBottom, toBottom, letGo };
};

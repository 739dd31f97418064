import { type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';

export type Selection = { readonly x0: number; readonly x1: number };
type Brush = {
  readonly selection: Selection | undefined;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onClickCapture: (event: MouseEvent) => void;
};

/** Nearer to each other they are one click. */
const leastPixels = 5;

/**
 * A stretch that is chosen by dragging, as places from 0 to 1 on the `axis`. With a mouse it may begin anywhere above or below
 * it; with a finger on the axis only, so that the page can be scrolled.
 */
export const useBrush = (axis: RefObject<HTMLElement | null>, onChosen: (x0: number, x1: number) => void): Brush => {
  const [selection, setSelection] = useState<Selection>();
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent): void => {
    const frame = axis.current?.getBoundingClientRect();
    const onAxis = axis.current?.contains(event.target as Node) === true;
    if (!frame || event.button !== 0 || (event.pointerType !== 'mouse' && !onAxis)) return;
    if (event.clientX < frame.left || event.clientX > frame.right) return;
    dragged.current = false;
    const from = event.clientX;
    const place = (x: number): number => Math.min(Math.max((x - frame.left) / frame.width, 0), 1);
    const between = (x: number): Selection => ({ x0: Math.min(place(from), place(x)), x1: Math.max(place(from), place(x)) });
    const move = ({ clientX }: globalThis.PointerEvent): void => {
      if (!dragged.current && Math.abs(clientX - from) < leastPixels) return;
      dragged.current = true;
      setSelection(between(clientX));
    };
    const stop = (): void => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', stop);
      setSelection(undefined);
    };
    const up = ({ clientX }: globalThis.PointerEvent): void => {
      stop();
      const { x0, x1 } = between(clientX);
      if (dragged.current && x1 > x0) onChosen(x0, x1);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', stop);
  };
  return {
    selection,
    onPointerDown,
    onClickCapture: (event) => {
      if (!dragged.current) return;
      dragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
};

import { type PointerEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { nodeSize, type Point } from './graph-layout.ts';

const margin = 24;
/** Below the picture there is room for the buttons. */
const below = 60;
/** How high a part must be for a picture to be seen whole as it is. */
export const heightFor = (pictureHeight: number): number => margin + pictureHeight + below;
const [leastScale, mostScale] = [0.3, 2];

type View = { readonly x: number; readonly y: number; readonly scale: number };

export type GraphView = {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly view: View;
  readonly showAll: () => void;
  readonly zoom: (factor: number, at?: Point) => void;
  readonly pan: (x: number, y: number) => void;
  /** Moves no further than it takes to see the whole node. */
  readonly reveal: (node: Point) => void;
};

/** How far to move so that what is from `from` to `to` stands between the margins. */
const intoSight = (from: number, to: number, room: number): number => {
  if (from < margin) return margin - from;
  return to > room - margin ? Math.max(room - margin - to, margin - from) : 0;
};

/** What is seen of the picture: moved by dragging and arrows, nearer and farther by buttons, keys, and the wheel with Ctrl. */
export const useGraphView = (width: number, height: number): GraphView => {
  const ref = useRef<HTMLDivElement>(null);
  /** What was looked at by oneself is not changed from outside. */
  const moved = useRef(false);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const showAll = useCallback((): void => {
    const box = ref.current?.getBoundingClientRect();
    if (!box || width === 0) return;
    moved.current = false;
    const scale = Math.min(1, (box.width - 2 * margin) / width, (box.height - margin - below) / Math.max(height, 1));
    const kept = Math.max(scale, leastScale);
    setView({ scale: kept, x: (box.width - width * kept) / 2, y: Math.max((box.height - height * kept - below + margin) / 2, margin) });
  }, [width, height]);
  // Another picture is shown whole, and never otherwise before; and this one, where there is another room for it.
  useLayoutEffect(() => {
    showAll();
    const box = ref.current;
    if (!box) return;
    const observer = new ResizeObserver(() => {
      if (!moved.current) showAll();
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [showAll]);
  const zoom = (factor: number, at?: Point): void => {
    moved.current = true;
    setView((before) => {
      const box = ref.current?.getBoundingClientRect();
      const centre = at ?? { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 };
      const scale = Math.min(Math.max(before.scale * factor, leastScale), mostScale);
      const by = scale / before.scale;
      return { scale, x: centre.x - (centre.x - before.x) * by, y: centre.y - (centre.y - before.y) * by };
    });
  };
  const pan = (x: number, y: number): void => {
    moved.current = true;
    setView((before) => ({ ...before, x: before.x + x, y: before.y + y }));
  };
  const reveal = useCallback((node: Point): void => {
    const box = ref.current?.getBoundingClientRect();
    if (!box) return;
    setView((before) => {
      const { scale } = before;
      const [left, top] = [before.x + node.x * scale, before.y + node.y * scale];
      const x = intoSight(left, left + nodeSize.width * scale, box.width);
      const y = intoSight(top, top + nodeSize.height * scale, box.height);
      if (x === 0 && y === 0) return before;
      moved.current = true;
      return { scale, x: before.x + x, y: before.y + y };
    });
  }, []);
  useEffect(() => {
    const box = ref.current;
    const onWheel = (event: WheelEvent): void => {
      // Without a modifier the page scrolls.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, { x: event.clientX - left, y: event.clientY - top });
    };
    box?.addEventListener('wheel', onWheel, { passive: false });
    return () => box?.removeEventListener('wheel', onWheel);
  });
  return { ref, view, showAll, zoom, pan, reveal };
};

export const useDrag = (pan: (x: number, y: number) => void) => {
  const last = useRef<Point>(undefined);
  return {
    onPointerDown: (event: PointerEvent) => {
      if ((event.target as Element).closest('button, [data-node]')) return;
      last.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!last.current) return;
      pan(event.clientX - last.current.x, event.clientY - last.current.y);
      last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: () => {
      last.current = undefined;
    },
  };
};

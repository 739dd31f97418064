import { lazy, memo, Suspense, useSyncExternalStore } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { InspectorProps } from './inspector.tsx';
import { panelIn, showPanel } from './panels.ts';

/** Loaded with the first look at it. */
const Inspector = lazy(async () => ({ default: (await import('./inspector.tsx')).Inspector }));

const wide = matchMedia('(min-width: 80rem)');
const subscribe = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Beside the conversation where there is room; over it otherwise. */
export const InspectorFrame = memo((props: Omit<InspectorProps, 'panel'>) => {
  const t = useText();
  const isWide = useSyncExternalStore(subscribe, () => wide.matches);
  const panel = panelIn(props.query);
  const inside = panel ? (
    <Suspense fallback={null}>
      <Inspector {...props} panel={panel} />
    </Suspense>
  ) : null;
  if (isWide) {
    return inside ? (
      <aside aria-label={t('inspector')} className="h-full w-88 shrink-0 border-l border-line bg-sunken/40">
        {inside}
      </aside>
    ) : null;
  }
  return (
    <Dialog
      open={panel !== undefined}
      onClose={() => {
        if (panel) showPanel(props.sessionId, props.query, undefined);
      }}
      label={t('inspector')}
      className="mr-0 mb-0 h-[min(44rem,85dvh)] max-h-none w-full max-w-full rounded-t-2xl sm:mt-0 sm:h-dvh sm:w-96 sm:rounded-l-2xl sm:rounded-tr-none"
    >
      {inside}
    </Dialog>
  );
});

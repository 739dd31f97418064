import { type ComponentType, lazy, Suspense } from 'react';
import { useMinitools } from '../minitools/minitools-context.ts';

const Nothing: ComponentType = () => null;

/** Whoever cannot load it has no place for what is shown, and is not there. */
const ShowLayer = lazy(() =>
  import('./show-layer.tsx').then(
    (loaded): { readonly default: ComponentType } => ({ default: loaded.ShowLayer }),
    (): { readonly default: ComponentType } => ({ default: Nothing }),
  ),
);

/** Toasts and dialogs of mini-tools, for people who may see one that is enabled: only they open a stream for it. */
export const MinitoolShows = () => {
  const any = useMinitools().minitools?.some(({ status }) => status === 'enabled') === true;
  return any ? (
    <Suspense fallback={null}>
      <ShowLayer />
    </Suspense>
  ) : null;
};

import { X } from 'lucide-react';
import { useEffect } from 'react';
import { resolutionText } from '../actions/resolution.ts';
import { useNameOf } from '../directory/directory-context.ts';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { GoneAction } from './approvals-store.ts';

const shownMs = 12_000;

/** Said for a while where something went away that somebody else has answered. */
export const GoneLine = ({ gone, onDismiss }: { readonly gone: GoneAction; readonly onDismiss: () => void }) => {
  const t = useText();
  const { action, resolution } = gone;
  const nameOf = useNameOf(resolution.by !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, from when it is first shown
  useEffect(() => {
    const timer = setTimeout(onDismiss, shownMs);
    return () => clearTimeout(timer);
  }, [action.request_id]);
  return (
    <li
      className="flex animate-rise items-center gap-2 rounded-2xl border border-line bg-sunken py-1.5 pr-1.5 pl-4 text-[13px] text-ink-soft"
      data-gone={action.request_id}
    >
      <span className="min-w-0 flex-1 break-words">
        <span className="font-medium">{action.tool_call?.name ?? action.prompt ?? action.kind}</span>
        {' · '}
        {resolutionText(resolution, nameOf, t)}
      </span>
      <IconButton label={t('dismiss')} onClick={onDismiss} className="size-8!">
        <X aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
};

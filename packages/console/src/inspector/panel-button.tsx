import { PanelRight } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import type { Query } from '../shell/query.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { panelIn, showPanel } from './panels.ts';

/** Opens and closes the inspector. */
export const PanelButton = ({ sessionId, query }: { readonly sessionId: string; readonly query: Query }) => {
  const t = useText();
  const open = panelIn(query) !== undefined;
  const label = open ? t('closeInspector') : t('openInspector');
  const toggle = (): void => showPanel(sessionId, query, open ? undefined : 'turns');
  useKeys({ i: { text: t('inspector'), act: toggle } });
  return (
    <IconButton label={label} aria-expanded={open} aria-keyshortcuts="I" className="aria-expanded:text-accent" onClick={toggle}>
      <PanelRight aria-hidden className="size-5" />
    </IconButton>
  );
};

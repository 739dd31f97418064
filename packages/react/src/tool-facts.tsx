import { toolFactsOf } from '@turnkeeper/client/view/tool-facts';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { useChatText } from './text-context.ts';

/** What somebody should know of a tool before they answer: what it warns of, in words, what it calls itself, and whose it is. */
export const ToolFactsLines = ({ action }: { readonly action: ActionBody }) => {
  const t = useChatText();
  const facts = toolFactsOf(action);
  if (!facts) return null;
  const { title, minitool, destructive, dangerous } = facts;
  return (
    <div className="tk-facts" data-tool-facts={destructive ? 'destructive' : dangerous ? 'dangerous' : 'plain'}>
      {destructive ? (
        <p className="tk-warning" data-warning="destructive">
          <span aria-hidden>⚠ </span>
          {t('toolDestructive')}
        </p>
      ) : null}
      {dangerous ? (
        <p className="tk-warning" data-warning="dangerous">
          <span aria-hidden>⚠ </span>
          {t('toolDangerous')}
        </p>
      ) : null}
      {title === undefined ? null : (
        <p className="tk-soft">
          <bdi>{t('toolTitle', { title })}</bdi>
        </p>
      )}
      {minitool === undefined ? null : (
        <p className="tk-soft">
          <bdi>{t('ofMinitool', minitool)}</bdi>
        </p>
      )}
    </div>
  );
};

import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import type { SubagentBody } from '@turnkeeper/core/view/subagent';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatDuration } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { useWatchedSession } from '../session/use-watched-session.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import { useNow } from '../ui/use-now.ts';
import type { InspectorProps } from './inspector.tsx';
import { statusText, toneOf } from './run-status.ts';

type ChildProps = { readonly sessionId: string; readonly child: SubagentBody; readonly shown: string | undefined };

/** Below a child: read, and kept up to date, as long as it is open. */
const Below = ({ sessionId, child, shown }: ChildProps) => {
  const { view } = useWatchedSession(sessionId, child.child_session_id);
  const t = useText();
  if (!view) return null;
  if (view.subagents.length === 0) return <p className="py-1.5 pl-3 text-[13px] text-ink-faint">{t('noneBelow')}</p>;
  return (
    <ul className="flex flex-col gap-0.5">
      {view.subagents.map(({ data }) => (
        <Child key={data.child_session_id} sessionId={sessionId} child={data} shown={shown} />
      ))}
    </ul>
  );
};

const Took = ({ child }: { readonly child: SubagentBody }) => {
  const t = useText();
  const now = useNow();
  return formatDuration((child.ended_at ?? now) - child.started_at, t);
};

const Child = ({ sessionId, child, shown }: ChildProps) => {
  const t = useText();
  const [open, setOpen] = useState(false);
  const text = statusText(child.status);
  return (
    <li data-child={child.child_session_id} data-child-status={child.status}>
      <div className="flex items-start rounded-xl hover:bg-sunken has-[a[aria-current]]:bg-accent-soft">
        <button
          type="button"
          aria-expanded={open}
          aria-label={t('childrenOf', { name: child.name })}
          onClick={() => setOpen(!open)}
          className="grid size-9 shrink-0 place-items-center rounded-xl text-ink-faint hover:text-ink"
        >
          <ChevronRight aria-hidden className={`size-4 transition-transform duration-150 ${open ? 'rotate-90' : ''}`} />
        </button>
        <PlaceLink
          to={{ kind: 'session', id: sessionId, query: { child: child.child_session_id, panel: 'children' } }}
          aria-current={child.child_session_id === shown ? 'true' : undefined}
          className="flex min-w-0 flex-1 items-start gap-2.5 rounded-xl py-2 pr-3"
        >
          <span className="pt-1.5">
            <StatusDot tone={toneOf(child.status)} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm leading-snug">{child.name}</span>
            <span className="block truncate text-xs text-ink-faint tabular-nums">
              {text ? t(text) : child.status} · <Took child={child} />
              {child.background ? ` · ${t('background')}` : ''}
              {child.error_code === undefined ? '' : ` · ${child.error_code}`}
            </span>
          </span>
        </PlaceLink>
      </div>
      {open ? (
        <div className="ml-4 border-l border-line pl-1">
          <Below sessionId={sessionId} child={child} shown={shown} />
        </div>
      ) : null}
    </li>
  );
};

type TreeProps = { readonly sessionId: string; readonly subagents: SessionSnapshot['subagents']; readonly shown: string | undefined };

const Tree = ({ sessionId, subagents, shown }: TreeProps) => {
  const t = useText();
  if (subagents.length === 0) return <p className="px-1 text-sm text-ink-faint">{t('noChildrenYet')}</p>;
  return (
    <ul aria-label={t('panelChildren')} className="-mx-2 flex flex-col gap-0.5">
      {subagents.map(({ data }) => (
        <Child key={data.child_session_id} sessionId={sessionId} child={data} shown={shown} />
      ))}
    </ul>
  );
};

/** While a child is read the tree is still that of its root. */
const RootTree = ({ sessionId, shown }: Pick<TreeProps, 'sessionId' | 'shown'>) => {
  const { view } = useWatchedSession(sessionId);
  return view ? <Tree sessionId={sessionId} subagents={view.subagents} shown={shown} /> : null;
};

/** All sessions below this one. */
export const ChildrenPanel = ({ sessionId, childId, view }: InspectorProps) =>
  childId === undefined ? <Tree sessionId={sessionId} subagents={view.subagents} shown={undefined} /> : <RootTree sessionId={sessionId} shown={childId} />;

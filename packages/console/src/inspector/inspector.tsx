import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { Older } from '@turnkeeper/react/use-older-parts';
import { X } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import type { Query } from '../shell/query.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { BudgetPanel } from './budget-panel.tsx';
import { ChildrenPanel } from './children-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { type PanelName, panels, panelTexts, showPanel, withPanel } from './panels.ts';
import { stepsIn } from './steps.ts';
import { StepsPanel } from './steps-panel.tsx';
import { TurnsPanel } from './turns-panel.tsx';

export type InspectorProps = {
  readonly sessionId: string;
  /** Of a child that is read below it. */
  readonly childId: string | undefined;
  readonly query: Query;
  readonly session: SessionResource;
  readonly view: SessionSnapshot;
  readonly older: Older;
  readonly panel: PanelName;
};

const Shown = (props: InspectorProps) => {
  switch (props.panel) {
    case 'turns':
      return <TurnsPanel {...props} />;
    case 'files':
      return <FilesPanel {...props} />;
    case 'children':
      return <ChildrenPanel {...props} />;
    case 'budget':
      return <BudgetPanel {...props} />;
    case 'steps':
      return <StepsPanel {...props} />;
  }
};

/** What a session is made of, beside what is said in it. */
export const Inspector = (props: InspectorProps) => {
  const t = useText();
  const { sessionId, childId, query, session, view, panel } = props;
  // A child has the budget of its root, and its files are its own: they are read there.
  const there = panels.filter((name) => {
    if (name === 'steps') return panel === 'steps' || session.target.type !== 'agent' || stepsIn(view).length > 0;
    return childId === undefined || (name !== 'budget' && name !== 'files');
  });
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-16 shrink-0 items-end">
        <div className="min-w-0 flex-1">
          <TabLinks
            dense
            label={t('inspector')}
            current={panel}
            tabs={there.map((name) => ({ id: name, text: t(panelTexts[name]), to: { kind: 'session', id: sessionId, query: withPanel(query, name) } }))}
          />
        </div>
        <div className="flex h-11.25 items-center border-b border-line pr-2">
          <IconButton label={t('closeInspector')} onClick={() => showPanel(sessionId, query, undefined)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4">
        <Shown {...props} />
      </div>
    </div>
  );
};

import type { TextKey } from '../i18n/en.ts';
import { go } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';

export const panels = ['turns', 'files', 'children', 'budget', 'steps'] as const;
export type PanelName = (typeof panels)[number];

export const panelTexts: Record<PanelName, TextKey> = {
  turns: 'panelTurns',
  files: 'panelFiles',
  children: 'panelChildren',
  budget: 'panelBudget',
  steps: 'panelSteps',
};

/** The one that the address names. */
export const panelIn = ({ panel }: Query): PanelName | undefined => panels.find((name) => name === panel);

/** What else is shown stays. */
export const withPanel = ({ panel: _, ...rest }: Query, panel: PanelName | undefined): Query => (panel === undefined ? rest : { ...rest, panel });

export const showPanel = (sessionId: string, query: Query, panel: PanelName | undefined): void =>
  go({ kind: 'session', id: sessionId, query: withPanel(query, panel) }, { replace: true });

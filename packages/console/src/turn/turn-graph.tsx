import type { Client } from '@turnkeeper/client/create-client';
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { WorkflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import { ChevronDown, ChevronUp, Workflow } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { WorkflowGraph } from '../graph/workflow-graph.tsx';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { nodeOfRow, nodeStepsOf } from './node-steps.ts';
import type { TraceRow } from './trace.ts';

/** What a session of a workflow says that it is of. */
export type WorkflowTarget = { readonly id: string; readonly revisionId: string; readonly version?: number | undefined; readonly name?: string | undefined };

/** Null where one may read the session but not its workflow. */
const specOf = async ({ workflows }: Client, id: string, revisionId: string): Promise<WorkflowSpec | null> => {
  try {
    return (await workflows.revision(id, revisionId)).revision.spec;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'not_found' || code === 'forbidden') return null;
    throw error;
  }
};

type TurnGraphProps = {
  readonly workflow: WorkflowTarget;
  readonly events: readonly Envelope[];
  /** The turn has its outcome. */
  readonly isOver: boolean;
  readonly chosen: TraceRow | undefined;
  /** A row of the waterfall; undefined chooses none. */
  readonly onChoose: (id: string | undefined) => void;
  readonly shown: boolean;
  readonly onShow: (shown: boolean) => void;
};

/** The graph that a turn goes through, and how far it is. What is chosen in it is chosen in the waterfall. */
export const TurnGraph = ({ workflow, events, isOver, chosen, onChoose, shown, onShow }: TurnGraphProps) => {
  const t = useText();
  const client = useClient();
  const { id, revisionId, version, name } = workflow;
  const loaded = useLoaded(useCallback(() => specOf(client, id, revisionId), [client, id, revisionId]));
  const nodes = useMemo(() => nodeStepsOf(events, isOver), [events, isOver]);
  const selected = nodeOfRow(nodes, chosen);
  // The waterfall tells what was done all the same.
  if (loaded.data === null) return null;
  const Chevron = shown ? ChevronUp : ChevronDown;
  const choose = (key: string): void => {
    const row = nodes.rowOf.get(key);
    onChoose(row === chosen?.id ? undefined : row);
  };
  return (
    <section aria-label={t('graphTitle')} data-graph={shown ? 'shown' : 'hidden'} className="flex flex-col gap-2 border-b border-line px-3 py-2 sm:px-5">
      <div className="flex min-w-0 items-center gap-2 text-[13px]">
        <Workflow aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <h2 className="min-w-0 truncate font-medium">
          <PlaceLink
            to={pageAt('targets', { tab: 'workflows', id, ...(version === undefined ? {} : { revision: String(version) }) })}
            className="rounded-md hover:text-accent"
          >
            {name || t('graphTitle')}
          </PlaceLink>
        </h2>
        {version === undefined ? null : <span className="shrink-0 text-ink-faint">{t('revisionN', { n: version })}</span>}
        <Button size="sm" variant="quiet" aria-expanded={shown} className="ml-auto" onClick={() => onShow(!shown)}>
          <Chevron aria-hidden className="size-4" />
          {t(shown ? 'graphHide' : 'graphShow')}
        </Button>
      </div>
      {shown && loaded.data ? <WorkflowGraph low spec={loaded.data} steps={nodes.steps} selected={selected} onSelect={choose} /> : null}
      {shown && !loaded.data ? (
        <div className="h-44">
          <LoadState loaded={loaded} />
        </div>
      ) : null}
    </section>
  );
};

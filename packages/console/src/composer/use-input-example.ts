import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { exampleFor } from './workflow-input.ts';

type Target = SessionResource['target'];

/** Of a workflow, an input that fits the revision that the session is pinned to; undefined of all else, and where it is not known. */
export const useInputExample = (target: Target | undefined): string | undefined => {
  const { workflows } = useClient();
  const id = target?.type === 'workflow' ? target.id : undefined;
  const which = target?.revisionId ?? target?.version;
  const read = useCallback(
    async () => (id === undefined || which === undefined ? undefined : exampleFor((await workflows.revision(id, which)).revision.spec)),
    [workflows, id, which],
  );
  return useLoaded(read).data;
};

/** Workflows: drafts, what is wrong with them, and published revisions. */
import type { DraftFault, ListedWorkflow, RevisionResource, WorkflowResource } from '@turnkeeper/core/protocol/wire/workflow-requests';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, type PageQuery, part } from './paths.ts';

export type WorkflowAnswer = { readonly workflow: WorkflowResource };
export type RevisionAnswer = { readonly revision: RevisionResource };
export type Validation = { readonly valid: boolean; readonly faults: readonly DraftFault[] };
/** Any JSON object: a draft may be unfinished. */
export type DraftSpec = { readonly [member: string]: unknown };
export type NewWorkflow = { readonly name: string; readonly space?: string; readonly draftSpec: DraftSpec };
export type WorkflowChange = { readonly expectedVersion: number; readonly name?: string; readonly draftSpec?: DraftSpec };

export type WorkflowCalls = {
  /** A draft with faults is stored together with them. */
  readonly create: (workflow: NewWorkflow) => Promise<WorkflowAnswer>;
  readonly list: (query?: PageQuery) => Promise<Page<ListedWorkflow>>;
  readonly get: (workflowId: string) => Promise<WorkflowAnswer>;
  /** A stale `expectedVersion` is refused with `version_conflict`. */
  readonly patch: (workflowId: string, change: WorkflowChange) => Promise<WorkflowAnswer>;
  /** Of the stored draft, or of `draftSpec` in its place. */
  readonly validate: (workflowId: string, draftSpec?: DraftSpec) => Promise<Validation>;
  /** Refused with `validation_failed` while the draft has faults: `errors` names them. */
  readonly publish: (workflowId: string, expectedVersion: number) => Promise<RevisionAnswer>;
  /** The newest first. */
  readonly revisions: (workflowId: string, query?: PageQuery) => Promise<Page<RevisionResource>>;
  /** By its id or number. */
  readonly revision: (workflowId: string, revision: string | number) => Promise<RevisionAnswer>;
};

const path = (id: string): string => `${api}/workflows/${part(id)}`;

export const createWorkflowCalls = ({ request }: Transport): WorkflowCalls => ({
  create: (body) => request('POST', `${api}/workflows`, { body }),
  list: (query) => request('GET', `${api}/workflows`, query ? { query } : {}),
  get: (id) => request('GET', path(id)),
  patch: (id, body) => request('PATCH', path(id), { body }),
  validate: (id, draftSpec) => request('POST', `${path(id)}/validate`, { body: draftSpec ? { draftSpec } : {} }),
  publish: (id, expectedVersion) => request('POST', `${path(id)}/publish`, { body: { expectedVersion } }),
  revisions: (id, query) => request('GET', `${path(id)}/revisions`, query ? { query } : {}),
  revision: (id, revision) => request('GET', `${path(id)}/revisions/${part(String(revision))}`),
});

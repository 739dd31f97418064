/**
 * Use cases: workflows — their drafts, and the immutable revisions that are published of them.
 *
 * XW1 Who makes, sees and changes workflows is as with agents (A3).
 * XW2 A draft is kept whatever is wrong with it, together with that; only one without faults is published.
 * XW3 A change and a publication name the version of the draft that was looked at: nobody publishes what somebody else changed meanwhile.
 */
import { type ErrorDetails, TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type {
  CreateWorkflowRequest,
  DraftFault,
  ListedWorkflow,
  PatchWorkflowRequest,
  RevisionResource,
  ValidateWorkflowRequest,
  WorkflowResource,
} from '@turnkeeper/core/protocol/wire/workflow-requests';
import type { WorkflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import { isPublishable } from '@turnkeeper/core/workflow/validate-workflow';
import type { RevisionRow, WorkflowRow } from '../ports/catalog-targets.ts';
import { type Items, type PageQuery, pageOf, requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { checkDraft } from './check-workflow.ts';
import { requireRead } from './manage-agents.ts';
import { placeIn } from './spaces.ts';
import { seesTarget, visibleTargets } from './target-grants.ts';

export type WorkflowAnswer = { readonly workflow: WorkflowResource };
export type RevisionAnswer = { readonly revision: RevisionResource };

const what = 'make, change and publish workflows';
const noSuchWorkflow = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such workflow.');

const resourceOf = (row: WorkflowRow): WorkflowResource => ({ ...row, draftSpec: row.draftSpec as WorkflowResource['draftSpec'], faults: [...row.faults] });
const listedOf = ({ draftSpec: _, ...row }: WorkflowRow): ListedWorkflow => ({ ...row, faults: [...row.faults] });
const revisionOf = (row: RevisionRow): RevisionResource => ({ ...row, spec: row.spec as unknown as WorkflowSpec });

/** Throws `forbidden`, `not_found` (the space). */
export const createWorkflow = async (app: App, caller: Caller, body: CreateWorkflowRequest): Promise<WorkflowAnswer> => {
  const admin = requireAdmin(caller, what);
  const space = await placeIn(app, caller, body.space);
  const draftSpec = body.draftSpec as JsonObject;
  const { faults } = await checkDraft(app, draftSpec);
  const at = app.clock.now();
  const row: WorkflowRow = {
    ...{ id: app.ids.next('wf'), name: body.name, space, draftSpec, faults },
    ...{ version: 1, revisions: 0, createdAt: at, updatedAt: at },
  };
  await app.catalog.createWorkflow(row, auditOf(app, admin, { action: 'workflow.created', subject: `workflow:${row.id}`, details: { name: row.name } }));
  return { workflow: resourceOf(row) };
};

/** Throws `not_found` for one that the caller does not see, too. */
const find = async (app: App, caller: Caller, id: string): Promise<WorkflowRow> => {
  requireRead(caller);
  const row = await app.catalog.workflow(id);
  if (!row || !seesTarget(caller, 'workflow', row)) throw noSuchWorkflow();
  return row;
};

export const readWorkflow = async (app: App, caller: Caller, id: string): Promise<WorkflowAnswer> => ({ workflow: resourceOf(await find(app, caller, id)) });

export const listWorkflows = async (app: App, caller: Caller, page: PageQuery): Promise<Items<ListedWorkflow>> => {
  requireRead(caller);
  const rows = await app.catalog.workflows({ offset: page.offset, limit: page.limit + 1, ...visibleTargets(caller, 'workflow') });
  return pageOf(rows, page, listedOf);
};

const stale = (row: WorkflowRow, expected: number): TurnkeeperError =>
  new TurnkeeperError('version_conflict', `The draft is at version ${row.version}, not ${expected}. Read it again and repeat the change.`, {
    version: row.version,
  });

/** Throws `forbidden`, `not_found`, `version_conflict`. */
export const changeWorkflow = async (app: App, caller: Caller, id: string, body: PatchWorkflowRequest): Promise<WorkflowAnswer> => {
  const admin = requireAdmin(caller, what);
  const row = await find(app, caller, id);
  const { expectedVersion, name } = body;
  const draftSpec = body.draftSpec as JsonObject | undefined;
  const draft = draftSpec && { draftSpec, faults: (await checkDraft(app, draftSpec)).faults };
  const entry = auditOf(app, admin, {
    ...{ action: 'workflow.changed', subject: `workflow:${row.id}` },
    details: { name: name ?? row.name, version: expectedVersion + 1 },
  });
  const changes = { ...(name === undefined ? {} : { name }), ...(draft ?? {}) };
  switch (await app.catalog.updateWorkflow(row.id, expectedVersion, changes, app.clock.now(), entry)) {
    case 'updated':
      return readWorkflow(app, caller, row.id);
    case 'version_conflict':
      throw stale((await app.catalog.workflow(row.id)) ?? row, expectedVersion);
    case 'not_found':
      throw noSuchWorkflow();
  }
};

/** What is wrong with the draft, or with another spec in its place, as things are now. Changes nothing. */
export const validateWorkflow = async (
  app: App,
  caller: Caller,
  id: string,
  body: ValidateWorkflowRequest,
): Promise<{ readonly valid: boolean; readonly faults: DraftFault[] }> => {
  requireAdmin(caller, what);
  const row = await find(app, caller, id);
  const { faults } = await checkDraft(app, (body?.draftSpec as JsonObject | undefined) ?? row.draftSpec);
  return { valid: isPublishable(faults), faults: [...faults] };
};

/** Publications that others make meanwhile are waited for so often. */
const publishTries = 10;

/** Throws `forbidden`, `not_found`, `version_conflict`; `validation_failed` with every fault, by its place in the spec (XW2). */
export const publishWorkflow = async (app: App, caller: Caller, id: string, expectedVersion: number): Promise<RevisionAnswer> => {
  const admin = requireAdmin(caller, what);
  const first = await find(app, caller, id);
  if (first.version !== expectedVersion) throw stale(first, expectedVersion);
  const { spec, faults } = await checkDraft(app, first.draftSpec);
  if (!spec || !isPublishable(faults)) throw unfit(faults);
  for (let tries = 0, row: WorkflowRow = first; tries < publishTries; tries += 1) {
    if (row.version !== expectedVersion) throw stale(row, expectedVersion);
    const revision: RevisionRow = {
      ...{ id: app.ids.next('wfr'), workflowId: row.id, n: row.revisions + 1, spec: spec as unknown as JsonObject },
      ...{ createdAt: app.clock.now(), createdBy: admin.id },
    };
    const details = { revision: revision.id, n: revision.n, version: row.version };
    const entry = auditOf(app, admin, { action: 'workflow.published', subject: `workflow:${row.id}`, details });
    if ((await app.catalog.publishRevision(revision, expectedVersion, entry)) === 'published') return { revision: revisionOf(revision) };
    const now = await app.catalog.workflow(row.id);
    if (!now) throw noSuchWorkflow();
    row = now;
  }
  throw stale(first, expectedVersion);
};

const unfit = (faults: readonly DraftFault[]): TurnkeeperError => {
  const errors = faults.filter(({ severity }) => severity === 'error');
  const summary = errors.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`);
  const details: ErrorDetails = { errors, faults };
  return new TurnkeeperError('validation_failed', `The draft cannot be published: ${summary.join('; ')}`, details);
};

/** The newest first. */
export const listRevisions = async (app: App, caller: Caller, id: string, page: PageQuery): Promise<Items<RevisionResource>> => {
  const row = await find(app, caller, id);
  return pageOf(await app.catalog.revisions(row.id, { offset: page.offset, limit: page.limit + 1 }), page, revisionOf);
};

/** By its id, or by its number within the workflow. */
export const readRevision = async (app: App, caller: Caller, id: string, idOrNumber: string): Promise<RevisionAnswer> => {
  const row = await find(app, caller, id);
  const found = /^\d{1,9}$/.test(idOrNumber) ? await app.catalog.revisionOf(row.id, Number(idOrNumber)) : await app.catalog.revision(idOrNumber);
  if (found?.workflowId !== row.id) throw new TurnkeeperError('not_found', 'The workflow has no such revision.');
  return { revision: revisionOf(found) };
};

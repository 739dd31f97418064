/** Workflows with their drafts, and the revisions that were published of them. G2 and G3 are held as for agents. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { DraftFault } from '@turnkeeper/core/protocol/wire/workflow-requests';
import type { RevisionRow, WorkflowChanges, WorkflowRow } from '../../ports/catalog-targets.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, text } from './columns.ts';
import type { CatalogTables } from './schema.ts';

const workflowOf = (row: SqlRow): WorkflowRow => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  space: text(row, 'space'),
  draftSpec: json<JsonObject>(row, 'draft_spec'),
  faults: json<readonly DraftFault[]>(row, 'faults'),
  version: number(row, 'version'),
  revisions: number(row, 'revisions'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
});
const changedValues = ({ name, draftSpec, faults }: WorkflowChanges): Partial<CatalogTables['workflows']> => ({
  ...(name === undefined ? {} : { name }),
  ...(draftSpec === undefined ? {} : { draft_spec: JSON.stringify(draftSpec) }),
  ...(faults === undefined ? {} : { faults: JSON.stringify(faults) }),
});
const workflowValues = ({ id, space, name, draftSpec, faults, version, revisions, createdAt, updatedAt }: WorkflowRow): CatalogTables['workflows'] => ({
  ...{ id, name, space, version, revisions },
  draft_spec: JSON.stringify(draftSpec),
  faults: JSON.stringify(faults),
  created_at: createdAt,
  updated_at: updatedAt,
});

const revisionRow = (row: SqlRow): RevisionRow => ({
  id: text(row, 'id'),
  workflowId: text(row, 'workflow_id'),
  n: number(row, 'n'),
  spec: json<JsonObject>(row, 'spec'),
  createdAt: number(row, 'created_at'),
  createdBy: text(row, 'created_by'),
});
const revisionValues = ({ id, workflowId, n, spec, createdAt, createdBy }: RevisionRow): CatalogTables['workflow_revisions'] => ({
  ...{ id, n },
  workflow_id: workflowId,
  spec: JSON.stringify(spec),
  created_at: createdAt,
  created_by: createdBy,
});

type Methods = 'createWorkflow' | 'updateWorkflow' | 'workflow' | 'workflows' | 'publishRevision' | 'revision' | 'revisionOf' | 'revisions';

export const createWorkflows = ({ db, all, one, write, change }: Access): Part<Methods> => {
  const missing = async (id: string): Promise<'version_conflict' | 'not_found'> =>
    (await one(db.selectFrom('workflows').select('id').where('id', '=', id))) ? 'version_conflict' : 'not_found';
  return {
    createWorkflow: async (workflow, audit) => {
      await write(db.insertInto('workflows').values(workflowValues(workflow)), auditInsert(db, audit));
    },
    updateWorkflow: async (id, version, changes, at, audit) => {
      const set = db
        .updateTable('workflows')
        .set({ ...changedValues(changes), version: version + 1, updated_at: at })
        .where('id', '=', id)
        .where('version', '=', version)
        .returning('id');
      return (await change(set, [auditInsert(db, audit)])) ? 'updated' : missing(id);
    },
    workflow: async (id) => {
      const row = await one(db.selectFrom('workflows').selectAll().where('id', '=', id));
      return row && workflowOf(row);
    },
    workflows: async ({ offset, limit, spaces, ids }) => {
      // `in ()` is no SQL everywhere.
      if (spaces?.length === 0 || ids?.length === 0) return [];
      let query = db.selectFrom('workflows').selectAll();
      if (spaces) query = query.where('space', 'in', spaces);
      if (ids) query = query.where('id', 'in', ids);
      return (await all(query.orderBy('created_at').orderBy('id').limit(limit).offset(offset))).map(workflowOf);
    },
    publishRevision: async (revision, version, audit) => {
      const { workflowId, n } = revision;
      const move = db
        .updateTable('workflows')
        .set({ revisions: n })
        .where('id', '=', workflowId)
        .where('version', '=', version)
        .where('revisions', '=', n - 1)
        .returning('id');
      const published = await change(move, [db.insertInto('workflow_revisions').values(revisionValues(revision)), auditInsert(db, audit)]);
      return published ? 'published' : missing(workflowId);
    },
    revision: async (id) => {
      const row = await one(db.selectFrom('workflow_revisions').selectAll().where('id', '=', id));
      return row && revisionRow(row);
    },
    revisionOf: async (workflowId, n) => {
      const row = await one(db.selectFrom('workflow_revisions').selectAll().where('workflow_id', '=', workflowId).where('n', '=', n));
      return row && revisionRow(row);
    },
    revisions: async (workflowId, { offset, limit }) => {
      const theirs = db.selectFrom('workflow_revisions').selectAll().where('workflow_id', '=', workflowId);
      return (await all(theirs.orderBy('n', 'desc').limit(limit).offset(offset))).map(revisionRow);
    },
  };
};

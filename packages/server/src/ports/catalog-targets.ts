/**
 * Port: what else of the catalog may be a session's target — teams with their versions, workflows with their drafts and published
 * revisions. The contract is the catalog's (G1–G5).
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { DraftFault } from '@turnkeeper/core/protocol/wire/workflow-requests';
import type { AuditRow, Page } from './catalog.ts';

export type TeamRow = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly space: string;
  /** The newest version's number, from 1. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};
export type TeamVersion = {
  readonly teamId: string;
  readonly version: number;
  /** Leader and members, as protocol/wire/teams.ts has them. */
  readonly definition: JsonObject;
  readonly createdAt: number;
  readonly createdBy: string;
};

export type WorkflowRow = {
  readonly id: string;
  readonly name: string;
  readonly space: string;
  /** Whatever was given: it may be unfinished. */
  readonly draftSpec: JsonObject;
  /** What was wrong with the draft when it was stored. */
  readonly faults: readonly DraftFault[];
  /** Of the draft: counts its changes, from 1. */
  readonly version: number;
  /** The newest revision's number; 0 while nothing is published. */
  readonly revisions: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};
export type WorkflowChanges = Partial<Pick<WorkflowRow, 'name' | 'draftSpec' | 'faults'>>;
/** Immutable once written (G2). */
export type RevisionRow = {
  readonly id: string;
  readonly workflowId: string;
  /** From 1 within its workflow. */
  readonly n: number;
  readonly spec: JsonObject;
  readonly createdAt: number;
  readonly createdBy: string;
};

/** In the order of creation; with `spaces` only those in one of them, with `ids` only those. */
type Seen = Page & { readonly spaces?: readonly string[]; readonly ids?: readonly string[] };

export interface TargetCatalog {
  createTeam(team: TeamRow, first: TeamVersion, audit: AuditRow): Promise<void>;
  /** Adds version `version.version`, with the name and description from then on; refused unless the team is at the one before. */
  addTeamVersion(version: TeamVersion, names: Pick<TeamRow, 'name' | 'description'>, audit: AuditRow): Promise<'added' | 'version_conflict' | 'not_found'>;
  team(id: string): Promise<TeamRow | undefined>;
  teams(query: Seen): Promise<readonly TeamRow[]>;
  teamVersion(teamId: string, version: number): Promise<TeamVersion | undefined>;
  teamVersions(teamId: string): Promise<readonly TeamVersion[]>;

  createWorkflow(workflow: WorkflowRow, audit: AuditRow): Promise<void>;
  /** Compare-and-set on `version`, which goes on by one. */
  updateWorkflow(id: string, version: number, changes: WorkflowChanges, at: number, audit: AuditRow): Promise<'updated' | 'version_conflict' | 'not_found'>;
  workflow(id: string): Promise<WorkflowRow | undefined>;
  workflows(query: Seen): Promise<readonly WorkflowRow[]>;

  /** Refused unless the draft is at `version` and the newest revision is the one before this. */
  publishRevision(revision: RevisionRow, version: number, audit: AuditRow): Promise<'published' | 'version_conflict' | 'not_found'>;
  revision(id: string): Promise<RevisionRow | undefined>;
  revisionOf(workflowId: string, n: number): Promise<RevisionRow | undefined>;
  /** The newest first. */
  revisions(workflowId: string, query: Page): Promise<readonly RevisionRow[]>;
}

/** Workflows under test: drafted, published, and run in a session of their own. */
import type { Json } from '@turnkeeper/core/protocol/json';
import { workflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { App } from '../../app/app.ts';
import { createSession } from '../../app/create-session.ts';
import { createWorkflow, publishWorkflow } from '../../app/manage-workflows.ts';
import { readTurnSnapshot } from '../../app/read-snapshot.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { ann, fresh, userCaller } from './client.ts';

const admin = userCaller('admin', { admin: true });

type Spec = { readonly nodes: readonly Record<string, unknown>[]; readonly edges?: readonly Record<string, unknown>[]; readonly output?: string };

/** Publishes a spec; the workflow and its revision. */
export const publish = async (app: App, spec: Spec): Promise<{ readonly workflowId: string; readonly revisionId: string }> => {
  const draftSpec = workflowSpec.parse({ edges: [], ...spec });
  const { workflow } = await createWorkflow(app, admin, { name: fresh('workflow'), draftSpec });
  const { revision } = await publishWorkflow(app, admin, workflow.id, workflow.version);
  return { workflowId: workflow.id, revisionId: revision.id };
};

export const workflowSession = async (app: App, spec: Spec): Promise<string> => {
  const { workflowId } = await publish(app, spec);
  return (await createSession(app, ann, { target: { type: 'workflow', id: workflowId } }, fresh('create'))).answer.id;
};

/** Submits any JSON; the turn's id. */
export const submitJson = async (app: App, session: string, input: Json, more: object = {}, key = fresh('submit')): Promise<string> =>
  (await submitTurn(app, ann, session, { input, ...more } as never, key)).answer.id;

/** The steps of a turn by their keys. */
export const stepsOf = async (app: App, session: string, turn: string): Promise<Readonly<Record<string, StepBody>>> =>
  Object.fromEntries(Object.values((await readTurnSnapshot(app, ann, session, turn)).steps).map((step) => [step.key, step]));

/** `a: succeeded`, of every step, in the order of their keys. */
export const ends = async (app: App, session: string, turn: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(Object.entries(await stepsOf(app, session, turn)).map(([key, { status }]) => [key, status]));

/**
 * Runs a made-up workflow on an engine that may die at any moment, and looks at what came of it: the logs, what the model was asked, and what
 * its tools did.
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { answerActions } from '../../app/answer-actions.ts';
import type { App } from '../../app/app.ts';
import { auditOf } from '../../app/audit.ts';
import { createSession } from '../../app/create-session.ts';
import { isSettled } from '../../app/read-turn.ts';
import { ModelError } from '../../ports/model.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { checkSession, undispatched } from '../harness/check-session.ts';
import { ann, builtin, fresh } from '../harness/client.ts';
import type { FakeTools } from '../harness/fake-tools.ts';
import { type Logged, wholeLog } from '../harness/log-checker.ts';
import type { ScriptedModel } from '../harness/scripted-model.ts';
import { eventually } from '../harness/settle.ts';
import { createSurvivingClient, type MortalWorld, persist, reconciled, type SurvivingClient } from '../harness/surviving-client.ts';
import { publish, submitJson } from '../harness/workflow.ts';
import { type Begun, judgeFlow } from './flow-law.ts';
import { type End, innersOf, inputOf, type MadeFlow, nodeNamed, sayingsOf, specOf } from './made-flow.ts';

/** Where it runs. `store`: what has really been committed, whoever lives. */
export type Stage = MortalWorld & { readonly model: ScriptedModel; readonly tools: FakeTools; readonly store: SessionStore };
export type Played = {
  readonly faults: readonly string[];
  /** What depends on nothing but the workflow, where nothing races: how it ended, and how each step did. */
  readonly cameTo: { readonly status: string; readonly result: unknown; readonly ends: Readonly<Record<string, string>> };
};

const noMore = (): Error => new ModelError('not today', { retryable: false });

/** How often a step has begun by now; `path` leads down through workflows in workflows. */
const attemptOf = async (store: SessionStore, session: string, path: string): Promise<number> => {
  const [key, ...rest] = path.split('/');
  const log = await logIn(store, session);
  const begun = log
    .flatMap(({ event }) => (event.type === 'step.updated' && event.data.key === key && event.data.status === 'running' ? [event.data] : []))
    .at(-1);
  if (rest.length === 0) return begun?.attempt ?? 0;
  return attemptOf(store, begun?.child_session_id ?? '', rest.join('/'));
};

const logIn = async (store: SessionStore, session: string): Promise<readonly Logged[]> => {
  const loaded = await store.load(session as SessionId);
  return loaded ? wholeLog(store, loaded.head.sid) : [];
};

/** `pause`: how long each answer takes. Nobody answers what is to time out. */
const script = (stage: Stage, flow: MadeFlow, session: () => string, pause: () => Promise<void>): void => {
  const say = (path: string, ends: readonly End[]) => async () => {
    await pause();
    const attempt = await attemptOf(stage.store, session(), path);
    const end = ends[attempt - 1] ?? 'succeeded';
    if (end === 'timed_out') return [{ hang: true } as const];
    return end === 'failed' ? [{ text: 'I fear ' }, { fails: noMore }] : [{ text: path }, { text: `#${attempt}` }];
  };
  for (const { path, ends, hasEffect } of sayingsOf(flow)) {
    const answer = [{ asked: say(path, ends) }];
    stage.model.when(path, ...(hasEffect ? [[{ call: 'effect', input: { of: path } }], answer] : [answer]));
  }
};

/** Publishes it, the workflows in it first; a session of it. */
const openFlow = async (stage: Stage, client: SurvivingClient, flow: MadeFlow): Promise<string> => {
  const app = (): App => stage.engine.app;
  const user = { id: ann.id, username: ann.id, displayName: 'Ann', roles: ['user' as const], status: 'active' as const, passwordHash: null, createdAt: 0 };
  const known = await persist(stage, () => app().catalog.users({ ids: [ann.id], offset: 0, limit: 1 }));
  const entry = () => auditOf(app(), 'system', { action: 'user.created', subject: `user:${ann.id}` });
  if (known.length === 0) await persist(stage, () => app().catalog.createUser(user, entry()));
  const agentId = await persist(stage, () => client.agent({ tools: [builtin('effect')] }));
  const revisions = new Map<MadeFlow, string>();
  const publishOne = (one: MadeFlow) => persist(stage, () => publish(app(), specOf(one, { agentId, approver: ann.id, revisions })));
  for (const inner of innersOf(flow)) revisions.set(inner, (await publishOne(inner)).revisionId);
  const { workflowId } = await publishOne(flow);
  const key = fresh('create');
  const target = { type: 'workflow', id: workflowId } as const;
  return persist(stage, async () => (await createSession(app(), ann, { target }, key)).answer.id);
};

type Action = { readonly request_id: string; readonly kind: string; readonly signal_name?: string; readonly prompt?: string };

const bodyFor = (flow: MadeFlow, action: Action): Record<string, unknown> | undefined => {
  const { request_id, kind } = action;
  if (kind === 'reconciliation') return { request_id, payload: reconciled };
  const key = (kind === 'signal' ? action.signal_name : action.prompt) ?? '';
  const end = nodeNamed(flow, key)?.ends[0]?.[0];
  if (end === undefined || end === 'timed_out') return undefined;
  if (kind === 'signal') return { request_id, payload: key };
  return { request_id, decision: end === 'succeeded' ? 'approved' : 'rejected', payload: {} };
};

/** Closed meanwhile: by a race that was decided, or with its turn. */
const tooLate: ReadonlySet<string | undefined> = new Set(['action_resolved', 'turn_closed']);

const answerAll = async (stage: Stage, client: SurvivingClient, flow: MadeFlow, session: string, turn: string): Promise<void> => {
  for (const action of (await client.actions(session, turn)) as unknown as readonly Action[]) {
    const body = bodyFor(flow, action);
    const key = fresh('answer');
    if (!body) continue;
    await persist(stage, () => answerActions(stage.engine.app, ann, session, turn, body as never, key)).catch((error: { readonly code?: string }) => {
      if (!tooLate.has(error.code)) throw error;
    });
  }
};

const below = async (store: SessionStore, session: string): Promise<readonly string[]> => {
  const rows = await store.descendants({ root: session as SessionId, under: '', limit: 500 });
  const loaded = await Promise.all(rows.map(({ sid }) => store.loadBySid(sid)));
  return loaded.flatMap((child) => (child ? [child.row.id] : []));
};

const rests = async (store: SessionStore, session: string): Promise<boolean> => {
  const loaded = await store.load(session as SessionId);
  return loaded !== undefined && loaded.head.due === null && (JSON.parse(loaded.state) as SessionState).live === undefined;
};

/** Each attempt once: its effect, and what the model was asked for it. A call that a process died in is made again. */
const recordFaults = (
  flow: MadeFlow,
  begun: readonly Begun[],
  calls: readonly { readonly text: string; readonly step: number }[],
  effects: readonly { readonly turnId: string; readonly of: string }[],
  deaths: number,
): readonly string[] =>
  sayingsOf(flow).flatMap(({ path, hasEffect }) => {
    const attempts = begun.filter((one) => one.path === path);
    const turns = new Set(attempts.map(({ child }) => `turn_${child.slice('ses_'.length)}`));
    const mine = effects.filter(({ of }) => of === path);
    const faults = mine.filter(({ turnId }) => !turns.has(turnId)).map(({ turnId }) => `${path}: an effect of ${turnId}, which is no attempt`);
    for (const turn of turns) {
      const times = mine.filter(({ turnId }) => turnId === turn).length;
      if (times > 1) faults.push(`${path}: ${turn} had its effect ${times} times`);
    }
    for (const step of hasEffect ? [0, 1] : [0]) {
      const times = calls.filter((call) => call.text === path && call.step === step).length;
      if (times > attempts.length + deaths) faults.push(`${path}: the model was asked ${times} times in ${attempts.length} attempts and ${deaths} deaths`);
    }
    return faults;
  });

export type Playing = {
  readonly pause: () => Promise<void>;
  /** How often an engine has died so far. */
  readonly deaths: () => number;
};

/** Runs it to its end, and until nothing of it is left to do. */
export const playFlow = async (stage: Stage, flow: MadeFlow, { pause, deaths }: Playing): Promise<Played> => {
  const { model, tools } = stage;
  const client = createSurvivingClient(stage);
  const [calls, runs] = [model.calls.length, tools.runs.length];
  let session = '';
  script(stage, flow, () => session, pause);
  session = await openFlow(stage, client, flow);
  const key = fresh('submit');
  const turn = await persist(stage, () => submitJson(stage.engine.app, session, inputOf(''), {}, key));
  const done = await eventually(
    'the run ends',
    async () => {
      const now = await client.turn(session, turn);
      if (isSettled(now.status)) return now;
      await answerAll(stage, client, flow, session, turn);
      return undefined;
    },
    { clock: stage.clock, rounds: 3_000 },
  );
  const all = await eventually(
    'nothing of it goes on',
    async () => {
      const sessions = [session, ...(await below(stage.store, session))];
      return (await Promise.all(sessions.map((one) => rests(stage.store, one)))).every(Boolean) && sessions;
    },
    { clock: stage.clock, rounds: 3_000 },
  );
  const checked = new Map(
    await Promise.all(
      all.map(async (one) => [one, await persist(stage, () => checkSession(stage.store, one, { app: stage.engine.app, caller: ann }))] as const),
    ),
  );
  const logOf = (one: string): readonly Logged[] => checked.get(one)?.log ?? [];
  const judged = judgeFlow(flow, logOf(session), logOf);
  const effects = tools.runs.slice(runs).map((run) => ({ turnId: run.turnId, of: String(run.input['of']) }));
  const logs = [...checked.values()].flatMap(({ log }) => log);
  return {
    cameTo: { status: done.status, result: done.result ?? null, ends: judged.ends },
    faults: [
      ...[...checked].flatMap(([one, { faults }]) => faults.map((fault) => `${one}: ${fault}`)),
      ...judged.faults,
      ...recordFaults(flow, judged.begun, model.calls.slice(calls), effects, deaths()),
      ...undispatched(logs, tools.runs.slice(runs)),
      ...model.calls.slice(calls).flatMap(({ text, fault }) => (fault === undefined ? [] : [`${text}: ${fault}`])),
    ],
  };
};

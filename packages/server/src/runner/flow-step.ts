/**
 * One look at the graph of a workflow's turn: what it asks for next becomes facts.
 *
 * FW1 What is done follows from the frozen spec and the stored facts alone (GP1): whoever looks, and however often, does the same.
 * FW2 What a workflow comes to is held to its session's schema as an agent's answer is (OU1); nothing repairs it.
 */

import type { Json } from '@turnkeeper/core/protocol/json';
import { childrenCounted } from '@turnkeeper/core/session/evolve-children';
import type { FlowMove } from '@turnkeeper/core/session/flow';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { roleAsked } from '@turnkeeper/core/session/standing';
import type { LiveTurn } from '@turnkeeper/core/session/state';
import { planFlow } from '@turnkeeper/core/workflow/plan-flow';
import { askedMessages } from '../app/asked-messages.ts';
import type { Session } from '../app/lane.ts';
import { installation, rolePlace } from '../app/role-place.ts';
import { turnInputOf } from '../app/turn-input.ts';
import { flowResults } from './flow-results.ts';
import type { StepReport } from './model-step.ts';
import { verdictOn } from './outcome-verdict.ts';
import type { RunServices } from './run-services.ts';
import { judgeOutput } from './turn-output.ts';

export type FlowLook = {
  /** As it is now. */
  readonly session: Session;
  readonly turnId: TurnId;
  readonly services: Pick<RunServices, 'store' | 'tools' | 'clock' | 'evaluate'>;
  readonly report: StepReport;
};

/** Plans, and reports what is planned; what the state does not allow any more is passed over there. */
export const runFlowStep = async ({ session, turnId, services, report }: FlowLook): Promise<void> => {
  const { live } = session.state;
  const { workflow } = session.config.target;
  if (live?.id !== turnId || !live.flow) return;
  if (!workflow) throw new Error('a workflow runs that was not frozen');
  const nodes = await flowResults({ store: services.store, sid: session.head.sid, live });
  const planned = planFlow({
    spec: workflow.spec,
    flow: live.flow,
    openChildren: childrenCounted(session.state),
    now: services.clock.now(),
    env: { run: { input: await inputOf(services, session, live), id: turnId }, nodes },
    evaluate: services.evaluate,
  });
  const moves: FlowMove[] = [];
  for (const move of planned) moves.push(await held(services, session, move));
  await report(({ live: now }) => (now?.id === turnId && now.status === 'running' ? [{ type: 'advance_flow', moves }] : []));
};

const inputOf = async ({ store }: FlowLook['services'], { head }: Session, { id, n }: LiveTurn): Promise<Json> => {
  const messages = await askedMessages(store, { sid: head.sid, turnId: id, n });
  if (!messages) throw new Error(`the input of turn ${n} is missing`);
  return turnInputOf(messages);
};

/** What a plan cannot know: whose roles an approval asks for, and whether the session takes what the workflow comes to. */
const held = async (services: FlowLook['services'], session: Session, move: FlowMove): Promise<FlowMove> => {
  const { row, config } = session;
  if (move.do === 'ask') {
    const { approver, inquiry } = move;
    const role = roleAsked(approver);
    if (role !== undefined) return { ...move, roleOf: role === 'admin' ? installation : rolePlace(row) };
    return inquiry.kind === 'approval' && typeof approver === 'string' ? { ...move, approver: [approver] } : move;
  }
  if (move.do !== 'finish') return move;
  const judged = await judgeOutput(services.tools, config.schemas, JSON.stringify(move.result));
  if (!judged || judged.ok) {
    const result = judged ? judged.result : move.result;
    const verdict = session.state.live ? await verdictOn(services, session, session.state.live.id, result) : undefined;
    return { ...move, result, ...(verdict ? { verdict } : {}) };
  }
  const errorMessage = `What the workflow came to is not the output that the session asks for: ${judged.faults.join('; ')}`;
  return { do: 'fail', errorCode: judged.errorCode, errorMessage };
};

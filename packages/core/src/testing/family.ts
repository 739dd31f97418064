/**
 * A family of sessions as a runner keeps it, without a server: a root, its children, theirs; what each owes is done in any
 * order, and any of it may be cut off between its two writes, as a process that dies leaves it.
 *
 * What a child's creation and a report are to the sessions is exactly what the server makes of them: the same commands, in
 * two commits.
 */
import type { ChildName, ChildReport } from '../session/child-report.ts';
import type { Command, RequestedCall } from '../session/commands.ts';
import type { ContextRow } from '../session/context.ts';
import { decide } from '../session/decide.ts';
import type { LoggedEvent } from '../session/events.ts';
import { childCancelId, childResumeId, childTurnId, type SessionId } from '../session/ids.ts';
import { brokenInvariant } from '../session/invariants.ts';
import { pendingWork, type Work } from '../session/pending-work.ts';
import { emptyState, type SessionState } from '../session/state.ts';
import type { ActionBody } from '../view/action.ts';
import { childReport } from '../view/child-report.ts';
import { applyToResource, type Body, touched } from '../view/resources.ts';
import type { TurnBody } from '../view/turn.ts';
import { modelDone, type Wish } from './commands.ts';
import { rowsOf } from './given.ts';

export type Member = {
  readonly id: SessionId;
  readonly name: ChildName | undefined;
  state: SessionState;
  readonly log: LoggedEvent[];
  readonly rows: ContextRow[];
  readonly bodies: Map<string, Body>;
  /** Model calls made, for scripts. */
  asked: number;
};

/** `words`: every report that was ever read, with the child that it is of. */
export type Family = { readonly members: Map<SessionId, Member>; at: number; readonly faults: string[]; readonly words: Word[] };
type Word = { readonly child: Member; readonly report: ChildReport };

export const rootId: SessionId = 'ses_root';

const born = (id: SessionId, name?: ChildName): Member => ({ id, name, state: emptyState, log: [], rows: [], bodies: new Map(), asked: 0 });

/** False where it was refused. */
export const tellMember = (family: Family, member: Member, wish: Wish): boolean => {
  family.at += 1;
  const decision = decide(member.state, { ...wish, at: family.at } as Command);
  if (!decision.ok) return false;
  member.rows.push(...rowsOf(decision.context, member.log.length));
  for (const event of decision.events) {
    member.log.push(event);
    for (const { kind, id } of touched(event)) {
      const key = `${kind} ${id}`;
      const body = applyToResource(kind, member.bodies.get(key), event);
      if (body) member.bodies.set(key, body);
    }
  }
  member.state = decision.state;
  const broken = brokenInvariant(member.state);
  if (broken !== undefined) family.faults.push(`${member.id} after ${wish.type}: ${broken}`);
  return true;
};

/** `begun`: how the root is created. */
export const newFamily = (begun: Wish = { type: 'create' }): { readonly family: Family; readonly root: Member } => {
  const family: Family = { members: new Map(), at: 1_000, faults: [], words: [] };
  const root = born(rootId);
  family.members.set(rootId, root);
  tellMember(family, root, begun);
  return { family, root };
};

/** The child, made once: a second `create` meets what is there. */
const made = (family: Family, parent: Member, childId: SessionId): Member => {
  const known = family.members.get(childId);
  if (known) return known;
  const n = childId.slice(childId.lastIndexOf('-') + 1);
  const path = parent.name ? `${parent.name.path}/helper:${n}` : `helper:${n}`;
  const child = born(childId, { name: 'helper', agentId: 'agt_1', path });
  family.members.set(childId, child);
  tellMember(family, child, { type: 'create', parent: { sessionId: parent.id, path } });
  tellMember(family, child, { type: 'submit', turnId: childTurnId(childId), preview: 'delegated' });
  return child;
};

const bodiesOf = <Kind extends Body>(member: Member, kind: string): readonly Kind[] =>
  [...member.bodies].flatMap(([key, body]) => (key.startsWith(`${kind} `) ? [body as Kind] : []));

const reported = (family: Family, child: Member): void => {
  const parent = child.state.parent && family.members.get(child.state.parent.id);
  const turn = child.bodies.get(`turn ${childTurnId(child.id)}`) as TurnBody | undefined;
  if (!parent || !turn || !child.name) return;
  const read = { turn, actions: bodiesOf<ActionBody>(child, 'required_action'), asOf: child.log.length };
  const report = childReport({ id: child.id, ...child.name }, read);
  family.words.push({ child, report });
  tellMember(family, parent, { type: 'child_report', childId: child.id, report });
};

/** What was read at some time is told only now, as by a node that stood still; then it is read again, as whoever tells does. */
export const tellLate = (family: Family, n: number): void => {
  const word = family.words[n % Math.max(family.words.length, 1)];
  const parent = word?.child.state.parent && family.members.get(word.child.state.parent.id);
  if (!word || !parent) return;
  tellMember(family, parent, { type: 'child_report', childId: word.child.id, report: word.report });
  reported(family, word.child);
};

/** Does one owed work; `cut`: the process dies after the first of two writes. */
export const perform = (family: Family, member: Member, work: Work, script: (member: Member) => readonly RequestedCall[], cut: boolean): void => {
  const tell = (wish: Wish): boolean => tellMember(family, member, wish);
  switch (work.kind) {
    case 'start':
      tell({ type: 'start', message: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }] });
      break;
    case 'restart':
      tell({ type: 'restart', alone: work.alone });
      break;
    case 'apply':
      tell({ type: 'apply_inputs', inputs: work.inputs.map((id) => ({ id, input: [{ role: 'user', content: [{ type: 'text', text: id }] }] })) });
      break;
    case 'model': {
      const calls = script(member);
      member.asked += 1;
      tell(modelDone(calls.length > 0 ? '' : `result of ${member.id}`, ...calls));
      break;
    }
    case 'tool': {
      const call = member.state.live?.calls.find(({ id }) => id === work.callId);
      const input = { background: work.callId.startsWith('bg') };
      // A piece of a team may be tried once more.
      const terms = member.state.target === 'team' ? { piece: { retry: { left: 1, backoffMs: 5 } } } : {};
      if (call?.status === 'requested') tell({ type: 'dispatch', callId: work.callId, input, ...terms });
      else tell({ type: 'tool_done', callId: work.callId, outcome: { status: 'success', output: [] } });
      break;
    }
    case 'child': {
      const child = made(family, member, work.childId);
      if (cut) break;
      if (work.step === 'make') tell({ type: 'child_made', childId: work.childId, name: 'helper', agentId: 'agt_1', path: child.name?.path ?? '' });
      else if (work.step === 'resume') {
        tellMember(family, child, { type: 'resume', turnId: childTurnId(child.id), commandId: childResumeId(child.id, child.state.live?.runs ?? 0) });
        tell({ type: 'child_resumed', childId: work.childId });
        reported(family, child);
      } else if (!child.state.live?.cancelRequested)
        tellMember(family, child, { type: 'cancel', turnId: childTurnId(child.id), commandId: childCancelId(child.id) });
      break;
    }
    case 'tell':
      reported(family, member);
      if (!cut) tell({ type: 'parent_told', news: work.news });
      break;
    case 'stop':
      tell({ type: 'stopped', outcome: 'cancelled', partialText: '' });
      break;
    case 'expire':
      tell({ type: 'expire', requestId: work.requestId });
      break;
    case 'await':
      break;
  }
};

/** All that can be done now. */
export const owedBy = (family: Family): readonly (readonly [Member, Work])[] =>
  [...family.members.values()].flatMap((member) =>
    pendingWork(member.state)
      .filter(({ kind }) => kind !== 'await')
      .map((work) => [member, work] as const),
  );

/**
 * Who is asked before a call of a tool is made, and until when.
 *
 * Rules: semantics, section 6 ("Tool permission").
 */
import type { Json } from '@turnkeeper/core/protocol/json';
import { type AgentDefinition, namedTools } from '@turnkeeper/core/protocol/wire/agents';
import type { RequestedCall } from '@turnkeeper/core/session/commands';
import type { ToolNote } from '@turnkeeper/core/session/events';
import { roleAsked } from '@turnkeeper/core/session/standing';
import { installation } from '../app/role-place.ts';
import type { ToolTerms } from '../ports/tool.ts';
import type { ToolEntry } from './tool-entries.ts';

/** Who may answer an action, and when it expires. */
export type Answering = Pick<RequestedCall, 'approver' | 'roleOf' | 'expiresAt'>;

/** The last moment of a `Date`. Definitions of before there was a bound may name later ones, which no store could read back. */
const latest = 8.64e15;

const approverOf = ({ approver = 'owner', approverRef }: ToolTerms): RequestedCall['approver'] =>
  typeof approverRef === 'string' && roleAsked(approverRef) === undefined ? [approverRef] : (approverRef ?? approver);

/**
 * By the tool's terms; the owner, without an end, where they say nothing. `place`: whose role it is that they may ask for.
 */
export const answeringOf = (terms: ToolTerms | undefined, at: number, place = ''): Answering => ({
  ...answererOf(approverOf(terms ?? {}), place),
  ...(terms?.expiresSeconds === undefined ? {} : { expiresAt: Math.min(at + terms.expiresSeconds * 1_000, latest) }),
});

const answererOf = (approver: RequestedCall['approver'], place: string): Pick<Answering, 'approver' | 'roleOf'> => {
  const role = roleAsked(approver);
  return role === undefined ? { approver } : { approver, roleOf: role === 'admin' ? installation : place };
};

/** What the definition says of the one tool that it names so. */
export const termsOf = ({ tools }: AgentDefinition, name: string | undefined): ToolTerms | undefined => namedTools(tools).find((tool) => tool.name === name);

/** What the model is told when nobody answers in time, where the definition says so of the tool. */
export const otherwiseOf = (definition: AgentDefinition, name: string | undefined): Json | undefined => termsOf(definition, name)?.onExpiry;

const isDestructive = ({ terms, tool }: Pick<ToolEntry, 'terms' | 'tool'>): boolean => terms.destructive ?? tool?.destructive ?? false;

/** What people are told of a tool that they are asked about. */
export const noteOf = (entry: ToolEntry): ToolNote | undefined => {
  const { title, minitoolId, minitoolName, dangerous } = entry.tool ?? {};
  const note: ToolNote = {
    ...(title === undefined ? {} : { title }),
    ...(minitoolId === undefined ? {} : { minitool: minitoolId }),
    ...(minitoolName === undefined ? {} : { minitool_name: minitoolName }),
    ...(dangerous ? { dangerous: true } : {}),
    ...(isDestructive(entry) ? { destructive: true } : {}),
  };
  return Object.keys(note).length > 0 ? note : undefined;
};

/** Whether each call is asked for, whatever was allowed before. */
export const asksEachTime = ({ terms, tool }: ToolEntry): boolean => terms.permission === 'always_ask' || tool?.dangerous === true;

/** Whether people must allow a call first. */
export const asksFirst = ({ terms, tool, executor }: ToolEntry, mode: AgentDefinition['permissionMode']): boolean => {
  // Its call is a question already.
  if (executor === 'person') return false;
  if (terms.permission === 'always_ask') return true;
  if (terms.permission === 'always_allow') return false;
  if (isDestructive({ terms, tool })) return true;
  // The application that executes a function tool is asked by that alone, and a child asks for what it does itself.
  if (executor === 'application' || executor === 'session') return false;
  return mode === 'ask' && !(terms.readOnly ?? tool?.readOnly ?? false);
};

/** Whether a call may be made again after a crash. */
export const mayRepeat = ({ terms, tool }: ToolEntry): boolean => terms.readOnly === true || terms.idempotent === true || tool?.replaySafe === true;

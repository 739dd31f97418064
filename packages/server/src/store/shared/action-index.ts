/** What lists of open actions need to know of an action's resource. */
import type { ActionBody } from '@turnkeeper/core/view/action';
import { roleApprover } from '../../ports/session-store.ts';

/** `approvers`: the users that it names, or the role; undefined where it names none (`owner`, `application`). */
export type ActionIndex = { readonly open: boolean; readonly kind: string; readonly approvers: readonly string[] | undefined };

/** Of the resource's body (JSON text). */
export const actionIndex = (body: string): ActionIndex => {
  const { status, kind = '', approver, role_of } = JSON.parse(body) as Partial<Pick<ActionBody, 'status' | 'kind' | 'approver' | 'role_of'>>;
  const named = typeof approver === 'string' && role_of !== undefined ? [roleApprover(approver, role_of)] : approver;
  return { open: status === 'open', kind, approvers: typeof named === 'object' ? named : undefined };
};

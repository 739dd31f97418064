/** Receipts of commands, as they are answered. */
import type { CommandReceipt, CommandResource } from '@turnkeeper/core/protocol/wire/actions';
import type { CommandKind } from '@turnkeeper/core/session/events';
import type { CommandBody } from '@turnkeeper/core/view/action';

const receiptOf = (sessionId: string, command: CommandResource): CommandReceipt => ({
  command,
  status_url: `/api/v1/agent-sessions/${sessionId}/turns/${command.turn_id}/commands/${command.id}`,
});

/** Of a command that is stored and has its effect later. */
export const acceptedCommand = (sessionId: string, turnId: string, commandId: string, kind: CommandKind, at: number): CommandReceipt =>
  receiptOf(sessionId, { id: commandId, kind, status: 'accepted', turn_id: turnId, created_at: at, completed_at: null, error_code: null });

/** Of a command that is done in the commit that accepts it. */
export const commandReceipt = (sessionId: string, turnId: string, commandId: string, kind: CommandKind, at: number): CommandReceipt =>
  receiptOf(sessionId, { id: commandId, kind, status: 'completed', turn_id: turnId, created_at: at, completed_at: at, error_code: null });

export const commandResource = (body: CommandBody): CommandResource => ({
  id: body.command_id,
  kind: body.kind,
  status: body.status,
  turn_id: body.turn_id,
  created_at: body.created_at,
  completed_at: body.completed_at ?? null,
  error_code: body.error_code ?? null,
});

/** Required actions and command receipts in the view. */
import type { ActionResolution, CommandKind, EventData, LoggedEvent, RequiredAction } from '../session/events.ts';

export type ActionBody = RequiredAction & {
  readonly turn_id: string;
  readonly status: 'open' | ActionResolution;
  readonly created_at: number;
  readonly resolved_at?: number;
  readonly resolved_by?: string;
  /** What was filled in, for the run that asked alone (RN3). */
  readonly sealed?: string;
};

export const actionCreated = (data: EventData<'required_action.created'>, at: number): ActionBody => ({ ...data, status: 'open', created_at: at });

export const actionResolved = (body: ActionBody | undefined, data: EventData<'required_action.resolved'>, at: number): ActionBody | undefined =>
  body && {
    ...body,
    status: data.resolution,
    resolved_at: at,
    ...(data.resolved_by === undefined ? {} : { resolved_by: data.resolved_by }),
    ...(data.sealed === undefined ? {} : { sealed: data.sealed }),
  };

export type CommandBody = {
  readonly turn_id: string;
  readonly command_id: string;
  readonly kind: CommandKind;
  readonly status: 'accepted' | 'completed' | 'failed';
  readonly created_at: number;
  readonly completed_at?: number;
  readonly error_code?: string;
};

type CommandEvent = Extract<LoggedEvent, { type: 'command.accepted' | 'command.completed' | 'command.failed' }>;

export const commandUpdated = (body: CommandBody | undefined, event: CommandEvent, at: number): CommandBody => {
  const { turn_id, command_id, kind } = event.data;
  const base = { turn_id, command_id, kind, created_at: body?.created_at ?? at };
  switch (event.type) {
    case 'command.accepted':
      return { ...base, status: 'accepted' };
    case 'command.completed':
      return { ...base, status: 'completed', completed_at: at };
    case 'command.failed':
      return { ...base, status: 'failed', completed_at: at, error_code: event.data.error_code };
  }
};

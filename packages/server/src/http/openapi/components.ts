/** Names of the schemas in the OpenAPI document. */

import { envelopeSchema } from '@turnkeeper/core/protocol/envelope';
import * as actions from '@turnkeeper/core/protocol/wire/actions';
import * as agents from '@turnkeeper/core/protocol/wire/agents';
import * as events from '@turnkeeper/core/protocol/wire/events';
import * as identity from '@turnkeeper/core/protocol/wire/identity';
import * as sessions from '@turnkeeper/core/protocol/wire/sessions';
import { z } from 'zod';

const named = {
  Problem: identity.problem,
  User: identity.userResource,
  Envelope: envelopeSchema,
  EventPage: events.eventPage,
  ResourcePage: events.resourcesPage,
  SessionSnapshot: events.sessionSnapshot,
  TurnSnapshot: events.turnSnapshot,
  UsageAnswer: events.usageAnswer,
  Usage: sessions.usageResource,
  Session: sessions.sessionResource,
  CreatedSession: sessions.createdSession,
  CreateSession: sessions.createSessionRequest,
  PatchSession: sessions.patchSessionRequest,
  TurnSubmission: sessions.turnInput,
  TurnReceipt: sessions.turnReceipt,
  Turn: sessions.turnResource,
  RequiredAction: actions.requiredActionResource,
  RequiredActions: actions.requiredActions,
  Answers: actions.answersRequest,
  Command: actions.commandResource,
  CommandReceipt: actions.commandReceipt,
  Agent: agents.agentResource,
  AgentAnswer: agents.agentAnswer,
  AgentDefinition: agents.agentDefinition,
  AgentVersion: agents.agentVersionResource,
  CreateAgent: agents.createAgentRequest,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** A registry of our own: the global one would be shared with whoever else uses zod in the process. */
export const createComponents = (): z.core.$ZodRegistry<{ id?: string }> => {
  const registry = z.registry<{ id?: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  return registry;
};

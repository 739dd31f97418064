/** Names of the schemas in the OpenAPI document. */

import * as actions from '@turnkeeper/core/protocol/wire/actions';
import * as agents from '@turnkeeper/core/protocol/wire/agents';
import * as budget from '@turnkeeper/core/protocol/wire/budget';
import * as clientTokens from '@turnkeeper/core/protocol/wire/client-tokens';
import * as events from '@turnkeeper/core/protocol/wire/events';
import * as files from '@turnkeeper/core/protocol/wire/files';
import * as identity from '@turnkeeper/core/protocol/wire/identity';
import * as minitools from '@turnkeeper/core/protocol/wire/minitools';
import * as modelCalls from '@turnkeeper/core/protocol/wire/model-calls';
import * as schedules from '@turnkeeper/core/protocol/wire/schedules';
import * as server from '@turnkeeper/core/protocol/wire/server';
import * as sessions from '@turnkeeper/core/protocol/wire/sessions';
import * as teams from '@turnkeeper/core/protocol/wire/teams';
import * as usage from '@turnkeeper/core/protocol/wire/usage-report';
import * as webhooks from '@turnkeeper/core/protocol/wire/webhooks';
import * as workflowRequests from '@turnkeeper/core/protocol/wire/workflow-requests';
import * as workflows from '@turnkeeper/core/protocol/wire/workflows';
import { z } from 'zod';

const named = {
  Problem: identity.problem,
  User: identity.userResource,
  UserAnswer: identity.userAnswer,
  CreateUser: identity.createUserRequest,
  PatchUser: identity.patchUserRequest,
  SetPassword: identity.setPasswordRequest,
  SignedIn: identity.signInAnswer,
  Me: identity.meAnswer,
  Key: identity.keyResource,
  Token: identity.tokenResource,
  CreateToken: identity.createTokenRequest,
  CreatedToken: identity.createdToken,
  Space: identity.spaceResource,
  SpaceAnswer: identity.spaceAnswer,
  CreateSpace: identity.createSpaceRequest,
  SpaceMember: identity.spaceMemberResource,
  Application: identity.applicationResource,
  ApplicationAnswer: identity.applicationAnswer,
  ApplicationMember: identity.applicationMember,
  CreateApplication: identity.createApplicationRequest,
  PatchApplication: identity.patchApplicationRequest,
  Credential: identity.credentialResource,
  CreateCredential: identity.createCredentialRequest,
  CreatedCredential: identity.createdCredential,
  TargetGrant: identity.targetGrant,
  Secret: identity.secretResource,
  AuditEntry: identity.auditEntry,
  AuditPage: identity.auditPage,
  ServerInfo: server.serverInfo,
  TestedModel: server.testModelAnswer,
  Envelope: events.envelopeSchema,
  EventPage: events.eventPage,
  ResourcePage: events.resourcesPage,
  SessionSnapshot: events.sessionSnapshot,
  TurnSnapshot: events.turnSnapshot,
  UsageAnswer: events.usageAnswer,
  ModelCall: modelCalls.modelCallResource,
  ModelCallDetail: modelCalls.modelCallDetail,
  PromptMessage: modelCalls.promptMessage,
  Schedule: schedules.scheduleResource,
  CreateSchedule: schedules.createScheduleRequest,
  PatchSchedule: schedules.patchScheduleRequest,
  ScheduleRun: schedules.scheduleRunResource,
  CreateClientToken: clientTokens.createClientTokenRequest,
  CreatedClientToken: clientTokens.createdClientToken,
  Budget: budget.budgetResource,
  SetBudget: budget.budgetRequest,
  Usage: sessions.usageResource,
  UsageReport: usage.usageReport,
  Session: sessions.sessionResource,
  CreatedSession: sessions.createdSession,
  CreateSession: sessions.createSessionRequest,
  PatchSession: sessions.patchSessionRequest,
  TurnSubmission: sessions.turnInput,
  TurnReceipt: sessions.turnReceipt,
  Turn: sessions.turnResource,
  RequiredAction: actions.requiredActionResource,
  RequiredActions: actions.requiredActions,
  RequiredActionsPage: actions.requiredActionsPage,
  AnsweredAction: actions.answeredAction,
  AnsweredActionsPage: actions.answeredActionsPage,
  Answers: actions.answersRequest,
  Command: actions.commandResource,
  CommandReceipt: actions.commandReceipt,
  File: files.fileResource,
  Webhook: webhooks.webhookResource,
  CreateWebhook: webhooks.createWebhookRequest,
  CreatedWebhook: webhooks.createdWebhook,
  RotatedWebhook: webhooks.rotatedWebhook,
  WebhookDelivery: webhooks.deliveryResource,
  TestedWebhook: webhooks.testedWebhook,
  FilesPage: files.filesPage,
  PublishArtifact: files.publishArtifactRequest,
  Artifact: files.artifactResource,
  ArtifactsPage: files.artifactsPage,
  Minitool: minitools.minitoolResource,
  MinitoolAnswer: minitools.minitoolAnswer,
  MinitoolContainer: minitools.minitoolContainer,
  MinitoolLog: minitools.minitoolLog,
  MinitoolArrival: minitools.minitoolArrival,
  MinitoolPermissions: minitools.minitoolPermissions,
  Agent: agents.agentResource,
  AgentAnswer: agents.agentAnswer,
  AgentDefinition: agents.agentDefinition,
  AgentVersion: agents.agentVersionResource,
  CreateAgent: agents.createAgentRequest,
  Team: teams.teamResource,
  TeamAnswer: teams.teamAnswer,
  TeamDefinition: teams.teamDefinition,
  TeamMember: teams.teamMember,
  TeamVersion: teams.teamVersionResource,
  CreateTeam: teams.createTeamRequest,
  Workflow: workflowRequests.workflowResource,
  WorkflowAnswer: workflowRequests.workflowAnswer,
  WorkflowFault: workflowRequests.draftFault,
  WorkflowNode: workflows.workflowNode,
  WorkflowEdge: workflows.workflowEdge,
  WorkflowSpec: workflows.workflowSpec,
  WorkflowRevision: workflowRequests.revisionResource,
  CreateWorkflow: workflowRequests.createWorkflowRequest,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** A registry of our own: the global one would be shared with whoever else uses zod in the process. */
export const createComponents = (): z.core.$ZodRegistry<{ id?: string }> => {
  const registry = z.registry<{ id?: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  return registry;
};

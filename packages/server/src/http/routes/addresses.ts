/** The parts of paths. */

import { secretName } from '@turnkeeper/core/protocol/wire/identity';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { z } from 'zod';
import { resourceLists } from '../../app/page-cursors.ts';

export const sessionParams = z.object({ sessionId: z.string() });
export const turnParams = sessionParams.extend({ turnId: z.string() });
export const eventParams = sessionParams.extend({ eventId: z.string() });
export const commandParams = turnParams.extend({ commandId: z.string() });
export const modelCallParams = turnParams.extend({ modelCallId: z.string() });
export const fileParams = sessionParams.extend({ fileId: z.string() });
export const artifactParams = sessionParams.extend({ artifactId: z.string() });
export const turnArtifactParams = turnParams.extend({ artifactId: z.string() });
export const scheduleParams = sessionParams.extend({ scheduleId: z.string() });
export const listParams = sessionParams.extend({ list: z.enum(resourceLists) });
export const agentParams = z.object({ agentId: z.string() });
export const versionParams = agentParams.extend({ version: z.coerce.number().int().min(1).max(limits.version) });

export const teamParams = z.object({ teamId: z.string() });
export const teamVersionParams = teamParams.extend({ version: z.coerce.number().int().min(1).max(limits.version) });
export const workflowParams = z.object({ workflowId: z.string() });
export const revisionParams = workflowParams.extend({ revision: z.string() });

export const tokenParams = z.object({ tokenId: z.string() });
export const userParams = z.object({ userId: z.string() });
export const spaceParams = z.object({ spaceId: z.string() });
export const spaceMemberParams = spaceParams.extend({ userId: z.string() });
export const applicationParams = z.object({ applicationId: z.string() });
export const credentialParams = applicationParams.extend({ credentialId: z.string() });
export const secretParams = z.object({ name: secretName });

export const minitoolParams = z.object({ minitoolId: z.string() });
export const minitoolSecretParams = minitoolParams.extend({ name: z.string().min(1).max(200) });
export const showParams = z.object({ showId: z.string() });
export const minitoolContainerParams = minitoolParams.extend({ containerId: z.string() });

export const sessionPath = '/agent-sessions/:sessionId';
export const turnPath = `${sessionPath}/turns/:turnId`;
export const childParams = sessionParams.extend({ childId: z.string() });
export const childTurnParams = childParams.extend({ turnId: z.string() });
export const childEventParams = childParams.extend({ eventId: z.string() });
export const childListParams = childParams.extend({ list: z.enum(resourceLists) });
export const childPath = `${sessionPath}/subagents/:childId`;
export const childTurnPath = `${childPath}/turns/:turnId`;

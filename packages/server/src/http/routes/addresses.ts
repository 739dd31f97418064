/** The parts of paths. */

import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { z } from 'zod';
import { resourceLists } from '../../app/page-cursors.ts';

export const sessionParams = z.object({ sessionId: z.string() });
export const turnParams = sessionParams.extend({ turnId: z.string() });
export const eventParams = sessionParams.extend({ eventId: z.string() });
export const commandParams = turnParams.extend({ commandId: z.string() });
export const listParams = sessionParams.extend({ list: z.enum(resourceLists) });
export const agentParams = z.object({ agentId: z.string() });
export const versionParams = agentParams.extend({ version: z.coerce.number().int().min(1).max(limits.version) });

export const sessionPath = '/agent-sessions/:sessionId';
export const turnPath = `${sessionPath}/turns/:turnId`;

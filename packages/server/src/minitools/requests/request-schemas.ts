/**
 * What each request and notice of a process must look like. Whatever a handler is given has passed one of these.
 *
 * RS1 There is a schema for each name of the protocol; a name without one is no request.
 */
import { type HostNotices, type HostRequests, sessionMethods } from '@turnkeeper/minitool/protocol';
import { z } from 'zod';

const key = z
  .string()
  .min(1)
  .max(512)
  .refine((value) => value.isWellFormed(), { error: 'no lone surrogates' });
const name = z.string().min(1).max(200);
const handle = z.number().int().nonnegative();
const callToken = z.string().min(1).max(64);
const object = z.record(z.string(), z.json());
const nothing = z.looseObject({});

/** As it may stand in the name that a model is told: `<mini-tool>_<name>`. */
const toolName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, { error: 'letters, digits, "_" and "-", at most 128' });

const registeredTool = z.object({
  handle,
  name: toolName,
  title: z.string().max(200),
  description: z.string().max(20_000),
  inputSchema: object,
  risk: z.enum(['low', 'medium', 'high']).optional(),
  timeoutMs: z.number().optional(),
  defaultEnabled: z.boolean().optional(),
  exposure: z.enum(['startup', 'dynamic']).optional(),
  progressMode: z.literal('indeterminate').optional(),
  owner: z.object({ extensionId: name, extensionName: z.string().max(200).optional() }).optional(),
  callDisplay: object.optional(),
});

export const requestSchemas = {
  'sessions.call': z.object({ method: z.enum(sessionMethods), args: z.array(z.unknown()).max(8), callToken: callToken.optional() }),
  'storage.get': z.object({ key }),
  // `undefined` does not travel: JSON leaves the member out.
  // It came by JSON, and is written as it came.
  'storage.set': z.object({ key, value: z.unknown() }),
  'storage.delete': z.object({ key }),
  'storage.clear': nothing,
  'storage.keys': nothing,
  'secrets.get': z.object({ key }),
  'secrets.set': z.object({ key, value: z.string().max(65_536) }),
  'secrets.delete': z.object({ key }),
  'tools.register': registeredTool,
  'tools.unregister': z.object({ handle }),
  'discovery.register': z.object({ handle, id: name, description: z.string().max(2_000).optional() }),
  'discovery.unregister': z.object({ handle }),
  'form.request': z.object({ callToken, spec: z.json() }),
  'app.info': nothing,
  'status.get': nothing,
  subscribe: z.object({ to: z.enum(['events', 'agentEvents', 'status', 'notifications']) }),
  'consume.begin': z.object({ name }),
  'consume.end': z.object({ name }),
  'webhooks.begin': z.object({ id: name }),
  'schedules.begin': z.object({ id: name }),
  'capabilities.provide': z.object({ name, methods: z.array(name).max(500), version: z.string().max(100).optional() }),
  'capabilities.withdraw': z.object({ name }),
  'capabilities.version': z.object({ name }),
  'capabilities.invoke': z.object({ name, method: name, args: z.array(z.unknown()).max(32) }),
  'ui.show': z.object({ kind: z.enum(['toast', 'confirm', 'modal']), options: object }),
} as const satisfies { readonly [Method in keyof HostRequests]: z.ZodType };

export const noticeSchemas = {
  log: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: z.string() }),
  progress: z.object({ callToken, stage: z.string().max(200).optional(), message: z.string().max(4_000), percent: z.number().min(0).max(100).optional() }),
} as const satisfies { readonly [Notice in keyof HostNotices]: z.ZodType };

export const isRequestName = (text: string): text is keyof HostRequests => Object.hasOwn(requestSchemas, text);
export const isNoticeName = (text: string): text is keyof HostNotices => Object.hasOwn(noticeSchemas, text);

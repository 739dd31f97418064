/** Which messages of a process are messages at all. What they say is looked at later, by each one's own schema. */
import { z } from 'zod';

const id = z.union([z.number().int(), z.string().min(1).max(64)]);
const method = z.string().min(1).max(64);
const params = z.record(z.string(), z.unknown()).optional();
const base = { jsonrpc: z.literal('2.0') };

const failure = z.looseObject({ code: z.number().int(), message: z.string(), data: z.unknown().optional() });
const request = z.strictObject({ ...base, id, method, params });
const notice = z.strictObject({ ...base, method, params });
const result = z.strictObject({ ...base, id, result: z.unknown() }).refine((value) => value.result !== undefined);
const error = z.strictObject({ ...base, id: id.nullable(), error: failure });

export type IncomingRequest = z.infer<typeof request>;
export type IncomingMessage = IncomingRequest | z.infer<typeof notice> | z.infer<typeof result> | z.infer<typeof error>;

export const isRequest = (message: IncomingMessage): message is IncomingRequest => 'method' in message && 'id' in message;

/** Why it is none, in words; undefined = it is one. */
export const faultOfMessage = (value: unknown): string | undefined => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'a message that is no object';
  const schema = 'method' in value ? ('id' in value ? request : notice) : 'error' in value ? error : result;
  const parsed = schema.safeParse(value);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  return `a message that is no JSON-RPC 2.0 (${issue?.path.join('.') || 'members'}: ${issue?.message ?? 'wrong'})`;
};

const maxDepth = 64;

/** Counts brackets outside texts, without reading the JSON: a schema that goes down with it would run out of stack. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inText) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) inText = false;
    } else if (unit === 0x22) inText = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
};

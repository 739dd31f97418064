/**
 * Every message of a mini-tool's process comes by here, and nowhere else.
 *
 * DP1 In this order: the name is known, the parameters fit their schema, the manifest allows it, a call's token is that of a run of
 *     this mini-tool that goes on. Only then a handler sees it.
 * DP2 `permission_denied` is answered before anything is said about the arguments that the permission is for.
 */
import type { HostNotices, HostRequests } from '@turnkeeper/minitool/protocol';
import type { z } from 'zod';
import type { CallsInProgress } from '../calls.ts';
import { type AskingMinitool, type CallInProgress, MinitoolFailure } from '../host-api.ts';
import { manifestRules } from './manifest-rules.ts';
import { isNoticeName, isRequestName, noticeSchemas, requestSchemas } from './request-schemas.ts';

/** Answers of every request: what `HostApi` has, and what the host answers itself. */
export type AllAnswers = {
  readonly [Method in keyof HostRequests]: (
    minitool: AskingMinitool,
    params: HostRequests[Method][0],
    call?: CallInProgress,
  ) => Promise<HostRequests[Method][1]>;
};

const fault = (error: z.ZodError): MinitoolFailure => {
  const [issue] = error.issues;
  return new MinitoolFailure('invalid_argument', `${issue?.path.join('.') || 'The arguments'}: ${issue?.message ?? 'wrong'}`);
};

const tokenOf = (params: unknown): string | undefined => {
  const token = (params as { readonly callToken?: unknown }).callToken;
  return typeof token === 'string' ? token : undefined;
};

/** Rejects with a `MinitoolFailure`, or with what the handler throws. */
export const answerRequest = async (
  answers: Partial<AllAnswers>,
  calls: CallsInProgress,
  minitool: AskingMinitool,
  method: string,
  params: unknown,
): Promise<unknown> => {
  if (!isRequestName(method)) throw new MinitoolFailure('not_supported', `There is no request ${JSON.stringify(method.slice(0, 64))}.`);
  const parsed = requestSchemas[method].safeParse(params);
  // A rule looks at names in the parameters; where they are of no use it is asked with none.
  const refusal = allowed(method, minitool, parsed.success ? parsed.data : undefined);
  if (refusal) throw refusal;
  if (!parsed.success) throw fault(parsed.error);
  const token = tokenOf(parsed.data);
  const call = token === undefined ? undefined : calls.find(minitool.id, token);
  if (token !== undefined && !call) throw new MinitoolFailure('caller_context_unavailable', 'The tool call that this belongs to is over.');
  const answer = answers[method] as ((minitool: AskingMinitool, params: unknown, call?: CallInProgress) => Promise<unknown>) | undefined;
  if (!answer) throw new MinitoolFailure('not_supported', `${method} is not available on this server.`);
  return answer(minitool, parsed.data, call);
};

const allowed = (method: keyof HostRequests, { manifest }: AskingMinitool, params: unknown): MinitoolFailure | undefined => {
  const rule = manifestRules[method] as (manifest: AskingMinitool['manifest'], params: unknown) => MinitoolFailure | undefined;
  if (params !== undefined) return rule(manifest, params);
  return method === 'sessions.call' ? rule(manifest, undefined) : undefined;
};

/** A notice that fits its schema; undefined where it is none. */
export const readNotice = (
  method: string,
  params: unknown,
): { readonly [Name in keyof HostNotices]: { readonly name: Name; readonly body: HostNotices[Name] } }[keyof HostNotices] | undefined => {
  if (!isNoticeName(method)) return undefined;
  if (method === 'log') {
    const parsed = noticeSchemas.log.safeParse(params);
    return parsed.success ? { name: 'log', body: parsed.data } : undefined;
  }
  const parsed = noticeSchemas.progress.safeParse(params);
  return parsed.success ? { name: 'progress', body: parsed.data as HostNotices['progress'] } : undefined;
};

/** One run of a tool's `execute`: its context, and what it gives. */

import type { MiniToolFormResult } from '../context/forms.ts';
import type { Secrets, Storage } from '../context/keeping.ts';
import type { Logger } from '../context/logger.ts';
import type { Sessions } from '../context/sessions.ts';
import type { ToolExecutionContext, ToolProgress } from '../context/tools.ts';
import type { Execution, ExecutionResult } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';

export type ExecutionParts = {
  readonly host: Pick<ToolPeer, 'ask' | 'tell'>;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly sessionsOf: (callToken: () => string | undefined) => Sessions;
};

const percentOf = (percent: unknown): number | undefined =>
  typeof percent === 'number' && Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : undefined;

const createProgress = (host: Pick<ToolPeer, 'tell'>, callToken: string): ToolProgress => ({
  report: (update) => {
    if (typeof update !== 'object' || update === null) return;
    const percent = percentOf(update.percent);
    void host.tell('progress', {
      callToken,
      message: String(update.message ?? '').slice(0, 1_000),
      ...(typeof update.stage === 'string' ? { stage: update.stage.slice(0, 200) } : {}),
      ...(percent === undefined ? {} : { percent }),
    });
  },
});

/** What `execute` is given besides its input. */
export const createExecutionContext = (parts: ExecutionParts, execution: Execution, signal: AbortSignal): ToolExecutionContext => {
  const { host, logger, storage, secrets, sessionsOf } = parts;
  const { callToken, toolCallId, sessionId, spaceId, cwd } = execution;
  return {
    toolCallId,
    sessionId,
    spaceId,
    cwd,
    signal,
    logger,
    storage,
    secrets,
    progress: createProgress(host, callToken),
    ui: { requestForm: async (spec) => (await host.ask('form.request', { callToken, spec }, signal)) as MiniToolFormResult },
    sessions: sessionsOf(() => callToken),
  };
};

type Block = ExecutionResult['content'][number];

const blockOf = (value: unknown): Block | undefined => {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  if (value.type === 'text') return 'text' in value && typeof value.text === 'string' ? { type: 'text', text: value.text } : undefined;
  if (value.type !== 'image' || !('data' in value) || !('mimeType' in value)) return undefined;
  const { data, mimeType } = value;
  return typeof data === 'string' && typeof mimeType === 'string' ? { type: 'image', data, mimeType } : undefined;
};

export const failedResult = (text: string): ExecutionResult => ({ content: [{ type: 'text', text }], isError: true });

/** What `execute` gave, if it is a result; else a failed one that says what is wrong with it. */
export const checkedResult = (value: unknown): ExecutionResult => {
  const content = typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  if (!Array.isArray(content) || content.length === 0) return failedResult('The tool gave no result of the form {content: [{type: "text", text}]}.');
  const blocks = content.map(blockOf);
  if (blocks.some((block) => block === undefined))
    return failedResult('The tool gave content that is neither {type: "text", text} nor {type: "image", data, mimeType}.');
  const isError = (value as { readonly isError?: unknown }).isError === true;
  return { content: blocks.filter((block) => block !== undefined), ...(isError ? { isError } : {}) };
};

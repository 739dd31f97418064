/** What mini-tools are written against: these programs compile with the alias `finch`, and what is wrong in them is found. */
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const good = `
import type * as finch from 'finch';

const replies = new Map<string, string>();

export function activate(ctx: finch.MiniToolContext) {
  const listener = (event: finch.SessionBridgeEvent) => {
    if (event.type === 'turn.completed') ctx.logger.info(event.outputText, event.messageIds.length, replies.get(event.turnId));
    if (event.type === 'turn.waiting' && event.wait.kind === 'permission') ctx.logger.warn(event.wait.toolName, event.wait.destructive);
    if (event.type === 'assistant.delta') ctx.logger.debug(event.delta);
  };
  ctx.subscriptions.push(ctx.sessions.onDidReceiveEvent(listener));
  ctx.subscriptions.push(
    ctx.tools.register({
      name: 'plan',
      title: 'Plan',
      description: 'Plans',
      inputSchema: { type: 'object', properties: { tasks: { type: 'array', items: { type: 'string' } } }, required: ['tasks'] },
      risk: 'medium',
      timeoutMs: 600_000,
      async execute({ tasks }, exec) {
        const results = await Promise.all(
          (tasks as string[]).map(async (task, i) => {
            const s = await ctx.sessions.create({
              containerId: 'workers',
              activity: 'background',
              context: 'caller',
              initialMessage: { text: task, idempotencyKey: \`job-\${exec.toolCallId}-\${i}\` },
            });
            const r = await ctx.sessions.waitForTurn(s.sessionId, s.turnId, { timeoutMs: 300_000 });
            return r.state === 'completed' ? r.outputText : 'failed';
          }),
        );
        exec.progress.report({ message: 'done', percent: 100 });
        const form: finch.MiniToolFormResult = await exec.ui.requestForm({ title: 'Sure?', fields: [] });
        return { content: [{ type: 'text', text: results.join(String(form.submitted)) }] };
      },
    }),
    ctx.settingsMenu.register({ getMenu: async () => [], execute: async () => {} }),
  );
}

export async function later(ctx: finch.ExtensionContext): Promise<finch.SessionSendReceipt> {
  const receipt = await ctx.sessions.send('s', { text: 'hi', idempotencyKey: 'k' });
  if (receipt.state === 'rejected') await new Promise((r) => setTimeout(r, receipt.retryAfterMs));
  else ctx.logger.info(receipt.turnId, receipt.queuePosition);
  interface Mcp { listTools(server: string): Promise<unknown> }
  await ctx.capabilities.get<Mcp>('mcp.client').listTools('x');
  const last = await ctx.storage.get<number>('lastRun');
  ctx.logger.info(last === undefined ? 0 : last + 1, ctx.commands, ctx.minitool.isActive);
  return receipt;
}

export const tool: finch.ToolDefinition<{ path: string }> = {
  name: 'read', title: 'Read', description: 'Reads', inputSchema: { type: 'object' },
  execute: async ({ path }, exec: finch.ToolExecutionContext) => ({ content: [{ type: 'text', text: path + exec.cwd }] }),
};

export const manifest: finch.MiniToolManifest = {
  manifestVersion: 1, id: 'x', name: { 'zh-CN': '甲' }, main: 'dist/index.js',
  contributes: { sessionContainers: [{ id: 'inbox', mode: 'inbox' }], webhooks: [{ id: 'w', verify: 'slack' }], schedules: [{ id: 's', everySeconds: 60 }] },
  permissions: { sessions: true, filesystem: 'none' },
};
export const old: [finch.ExtensionInfo, finch.ExtensionFormField, finch.ExtensionI18n, finch.ExtensionPermissions][] = [];
`;

const bad = `
import type * as finch from 'finch';
export async function activate(ctx: finch.MiniToolContext) {
  const s = await ctx.sessions.create({ containerId: 'inbox' });
  ctx.logger.info(s.turnId);
  await ctx.sessions.send(s.sessionId, { text: 'no key' });
  const receipt = await ctx.sessions.send(s.sessionId, { text: 'x', idempotencyKey: 'k' });
  ctx.logger.info(receipt.turnId);
}
`;

/** Stands in for what authors have from Node's types: reading those takes longer than all the rest. */
const surroundings = `
declare global {
  interface AbortSignal { readonly aborted: boolean }
  function setTimeout(run: (value: void) => void, ms: number): void;
}
export {};
`;

const folder = import.meta.dirname;
const texts: Readonly<Record<string, string>> = {
  [join(folder, 'good-mini-tool.ts')]: good,
  [join(folder, 'bad-mini-tool.ts')]: bad,
  [join(folder, 'surroundings.ts')]: surroundings,
};

const compile = (): ts.Program => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
    paths: { finch: [join(folder, 'finch.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (file, ...rest) => {
    const text = texts[file];
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  host.fileExists = (file) => file in texts || fileExists(file);
  return ts.createProgram(Object.keys(texts), options, host);
};

describe('the types of finch', () => {
  const program = compile();
  const diagnostics = ts.getPreEmitDiagnostics(program);
  const faults = (name: string): readonly string[] =>
    diagnostics.filter(({ file }) => file?.fileName.endsWith(name) ?? false).map((each) => ts.flattenDiagnosticMessageText(each.messageText, ' '));

  it('are sound by themselves', () => {
    expect(program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder)).length).toBeGreaterThan(15);
    expect(diagnostics.filter(({ file }) => !file?.fileName.endsWith('bad-mini-tool.ts')).map(({ messageText }) => messageText)).toEqual([]);
  });

  it('fit what mini-tools are written with', () => {
    expect(faults('good-mini-tool.ts')).toEqual([]);
  });

  it('find a missing key, a turn that was not begun, and a receipt that was not looked at', () => {
    const found = faults('bad-mini-tool.ts');
    expect(found).toHaveLength(3);
    expect(found.join()).toMatch(/turnId.*idempotencyKey.*turnId/s);
  });
});

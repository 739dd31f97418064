/** What `new` writes: a mini-tool with one tool and one session flow, which runs as it is. */

export type TemplateFiles = Readonly<Record<string, string>>;
export type TemplateAbout = {
  readonly id: string;
  readonly name: string /** Where the types and the test kit come from: a version, or a folder. */;
  readonly kit: string;
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const packageJson = ({ id, kit }: TemplateAbout): string =>
  json({
    name: id,
    version: '0.1.0',
    private: true,
    type: 'module',
    files: ['dist', 'finch.json', 'i18n'],
    scripts: { build: 'tsc', test: 'node --test', prepack: 'npm run build' },
    engines: { node: '>=26' },
    devDependencies: { '@turnkeeper/minitool': kit, typescript: '^6.0.0' },
  });

const finchJson = ({ id, name }: TemplateAbout): string =>
  json({
    manifestVersion: 1,
    id,
    name,
    description: 'Counts words, and asks an agent for a summary.',
    main: 'dist/index.js',
    contributes: {
      tools: true,
      sessionContainers: [{ id: 'summaries', title: 'Summaries', mode: 'inbox' }],
    },
    permissions: { sessions: true },
  });

const tsconfig = json({
  compilerOptions: {
    target: 'ES2024',
    lib: ['ES2024', 'DOM'],
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    types: [],
    paths: { finch: ['./types/finch.d.ts'] },
  },
  include: ['src'],
});

const types = [
  "/** The types of `ctx`: `import type … from 'finch'`. They are gone when the code runs. */",
  "export type * from '@turnkeeper/minitool/finch';",
  '',
].join('\n');

const index = `import type { MiniToolContext, ToolResult } from 'finch';
import { wordsIn } from './words.ts';

const say = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const fail = (text: string): ToolResult => ({ ...say(text), isError: true });

/** Called once, when the mini-tool starts. */
export const activate = (ctx: MiniToolContext): void => {
  ctx.subscriptions.push(
    ctx.tools.register({
      name: 'count_words',
      title: 'Count words',
      description: 'Counts the words of a text.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      risk: 'low',
      execute: async ({ text }) => say(String(wordsIn(String(text)))),
    }),
    ctx.tools.register({
      name: 'summarise',
      title: 'Summarise',
      description: 'Lets another agent summarise a text in one sentence.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      timeoutMs: 300_000,
      execute: async ({ text }, exec) => {
        // The key is the call's own id, in its session: should the call be made twice, there is one session all the same.
        const session = await ctx.sessions.create({
          containerId: 'summaries',
          activity: 'background',
          context: 'caller',
          initialMessage: { text: 'Summarise in one sentence:\\n\\n' + String(text), idempotencyKey: exec.sessionId + '-' + exec.toolCallId },
        });
        const result = await ctx.sessions.waitForTurn(session.sessionId, session.turnId, { timeoutMs: 240_000 });
        switch (result.state) {
          case 'completed':
            return say(result.outputText);
          case 'failed':
            return fail('No summary: ' + result.code);
          case 'timeout':
            return fail('The summary is not ready yet.');
        }
      },
    }),
  );
  ctx.logger.info('ready');
};
`;

const words = `/** How many words a text has, in any language that has words. */
export const wordsIn = (text: string): number =>
  [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(({ isWordLike }) => isWordLike).length;
`;

const test = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startKit } from '@turnkeeper/minitool/kit/start-kit';
import * as module from '../src/index.ts';

const manifest = JSON.parse(await readFile(new URL('../finch.json', import.meta.url), 'utf8'));

test('counts words', async () => {
  await using kit = await startKit({ module, manifest });
  const { content } = await kit.execute('count_words', { text: 'one two three' });
  assert.deepEqual(content, [{ type: 'text', text: '3' }]);
});

test('lets an agent summarise, once for each call', async () => {
  await using kit = await startKit({ module, manifest, agent: () => 'In short: yes.' });
  const { content } = await kit.execute('summarise', { text: 'a long story' });
  assert.deepEqual(content, [{ type: 'text', text: 'In short: yes.' }]);
});
`;

const readme = ({ id, name }: TemplateAbout): string => `# ${name}

    turnkeeper minitool dev .      runs it here, and again whenever something changes
    npm install && npm test        types and the test kit
    npm run build                  checks the types, writes dist/
    turnkeeper minitool doctor .   what will not work, without running it
    turnkeeper minitool add .      installs a copy

An agent has its tools when its definition names it: \`{"type": "minitool", "id": "${id}"}\`.

\`finch.json\` says what it may do. Whoever installs it is shown that, and agrees to it.
`;

export const templateFiles = (about: TemplateAbout): TemplateFiles => ({
  'package.json': packageJson(about),
  'finch.json': finchJson(about),
  'tsconfig.json': tsconfig,
  'types/finch.d.ts': types,
  'src/index.ts': index,
  'src/words.ts': words,
  'test/index.test.ts': test,
  'README.md': readme(about),
  '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
});

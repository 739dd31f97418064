/** A list that is kept over restarts, and a form that a person fills in while a tool runs. */
import type { MiniToolContext, ToolResult } from 'finch';

type Entry = { readonly title: string; readonly done: boolean };

const key = 'entries';
const say = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const lineOf = ({ title, done }: Entry): string => `${done ? '[x]' : '[ ]'} ${title}`;

export const activate = (ctx: MiniToolContext): void => {
  const entries = async (): Promise<readonly Entry[]> => (await ctx.storage.get<readonly Entry[]>(key)) ?? [];
  // Calls may run side by side: what reads and then writes takes turns.
  let line: Promise<unknown> = Promise.resolve();
  const inTurn = <Of>(act: () => Promise<Of>): Promise<Of> => {
    const next = line.then(act, act);
    line = next.catch(() => {});
    return next;
  };

  ctx.subscriptions.push(
    ctx.tools.register({
      name: 'add',
      title: 'Add',
      description: 'Puts something on the list.',
      inputSchema: { type: 'object', properties: { title: { type: 'string', minLength: 1 } }, required: ['title'] },
      risk: 'medium',
      execute: ({ title }) =>
        inTurn(async () => {
          const all = [...(await entries()), { title: String(title), done: false }];
          await ctx.storage.set(key, all);
          return say(`${all.length} on the list`);
        }),
    }),
    ctx.tools.register({
      name: 'list',
      title: 'List',
      description: 'Says what is on the list.',
      inputSchema: { type: 'object', properties: {} },
      risk: 'low',
      execute: async () => say((await entries()).map(lineOf).join('\n') || 'nothing'),
    }),
    ctx.tools.register({
      name: 'finish',
      title: 'Finish',
      description: 'Lets the user choose what is done.',
      inputSchema: { type: 'object', properties: {} },
      risk: 'medium',
      execute: async (_, exec) => {
        const open = (await entries()).filter(({ done }) => !done);
        const { submitted, values, reason } = await exec.ui.requestForm({
          title: 'What is done?',
          submitLabel: 'Done',
          fields: [{ key: 'done', label: 'Done', type: 'multiselect', required: true, options: open.map(({ title }) => ({ value: title, label: title })) }],
        });
        if (!submitted) return say(`Nothing was changed (${reason}).`);
        const done = new Set(values['done'] as readonly string[]);
        return inTurn(async () => {
          const all = (await entries()).map((entry) => (done.has(entry.title) ? { ...entry, done: true } : entry));
          await ctx.storage.set(key, all);
          return say(all.map(lineOf).join('\n'));
        });
      },
    }),
  );
};

/** The language of mini-tools, with real processes: what they are told, and what they say to models. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localeSetting } from '../app/minitools/locale-setting.ts';
import { entry, type HostedForTest, openHost } from '../testing/minitools/hosted.ts';

let hosted: HostedForTest;
let fails = false;
beforeEach(async () => {
  fails = false;
  let own: HostedForTest | undefined;
  const readLocale = async (): Promise<string | undefined> => {
    if (fails) throw new Error('no store');
    return own?.store.catalog.setting(localeSetting);
  };
  own = await openHost({ locale: 'zh-CN', readLocale });
  hosted = own;
});
afterEach(() => hosted.close());

const code = `
export const activate = async (ctx) => {
  const say = (when) => ctx.app.getInfo().then(({ locale }) => ctx.logger.info([when, ctx.i18n.locale, ctx.i18n.t('hello'), ctx.minitool.displayName, locale].join(' ')));
  ctx.subscriptions.push(ctx.i18n.onDidChangeLocale((locale) => say('now ' + locale)));
  ctx.tools.register({ name: 'hi', title: ctx.i18n.t('hello'), description: '', inputSchema: { type: 'object' }, execute: async () => ({ content: [] }) });
  await say('begins');
};
`;
const manifest = {
  name: { default: 'Notes', 'zh-CN': '清单说的名字' },
  systemPrompt: { default: 'Speak of notes.', 'zh-CN': '清单说的话' },
  contributes: { tools: true },
};
const files = {
  'i18n/en-US.json': JSON.stringify({ hello: 'Hello', systemPrompt: 'Speak of notes, says the file.' }),
  'i18n/zh-CN.json': JSON.stringify({ hello: '你好', name: '笔记' }),
};

const run = async (): Promise<void> => {
  const placed = await hosted.host.place({ kind: 'folder', path: hosted.write('notes', code, { manifest, files }), linked: false });
  const fresh = { status: 'disabled', reason: null, settings: {}, consent: null, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0 } as const;
  await hosted.store.minitools.install({ ...placed, ...fresh }, entry('minitool.installed', 'notes'));
  await hosted.enable('notes');
};
const set = async (locale: string | null): Promise<void> => {
  await hosted.store.catalog.setSetting(localeSetting, locale);
  await hosted.host.localeChanged();
};

it('MH7: a process begins in the language of the installation, and is told of another one without being started again', async () => {
  await run();
  expect(await hosted.logged('notes', 'begins')).toBe('begins zh-CN 你好 笔记 zh-CN');
  expect(hosted.host.tools.list().map(({ title }) => title)).toEqual(['你好']);
  expect((await hosted.host.asking('notes')).name).toBe('笔记');
  await set('en-US');
  expect(await hosted.logged('notes', 'now en-US')).toBe('now en-US en-US Hello 笔记 en-US');
  expect((await hosted.host.asking('notes')).name).toBe('Notes');
  await set(null);
  await hosted.logged('notes', 'now zh-CN');
  expect((await hosted.log('notes')).filter((message) => message.startsWith('begins'))).toHaveLength(1);
});

it('what the manifest says to models is in that language, and the package’s i18n goes before it', async () => {
  await run();
  expect(hosted.host.tools.prompt('notes')).toBe('清单说的话');
  await set('en-US');
  expect(hosted.host.tools.prompt('notes')).toBe('Speak of notes, says the file.');
});

it('LN1: what cannot be read, or is no language of ours, leaves or gives the one of the start', async () => {
  await set('en-US');
  fails = true;
  await hosted.host.localeChanged();
  expect([hosted.host.locale, hosted.reports.map(String)]).toEqual(['en-US', ['Error: no store']]);
  fails = false;
  await set('de-DE');
  expect(hosted.host.locale).toBe('zh-CN');
});

it('a look at what is to run, which every node makes, finds the language that another node set', async () => {
  await run();
  await hosted.store.catalog.setSetting(localeSetting, 'en-US');
  await hosted.host.reconcile();
  await hosted.logged('notes', 'now en-US');
});

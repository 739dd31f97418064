import { describe, expect, it } from 'vitest';
import { localised, localiseManifest } from './manifest/localise.ts';
import { maySeeSecret, type ReadManifest, readManifest } from './manifest.ts';

const least = { manifestVersion: 1, id: 'bot', name: 'Bot' };
const finch = (value: unknown): string => JSON.stringify(value);
const read = (changes: object): ReadManifest => readManifest({ finchJson: finch({ ...least, ...changes }) });
const must = (changes: object) => {
  const found = read(changes);
  if (!found.ok) throw new Error(JSON.stringify(found.faults));
  return found.manifest;
};
const pointers = (found: ReadManifest): readonly string[] => (found.ok ? [] : found.faults.map(({ pointer }) => pointer));

describe('a manifest', () => {
  it('needs little, and has defaults', () => {
    const manifest = must({});
    expect(manifest).toMatchObject({
      main: 'dist/index.js',
      activationEvents: ['onStartup'],
      permissions: { filesystem: 'none', network: false, secrets: [] },
    });
    expect(must({ contributes: { sessionContainers: [{ id: 'inbox' }] } }).contributes.sessionContainers[0]?.mode).toBe('inbox');
  });

  it('MF2: of finch.json wins over that of package.json', () => {
    const packageJson = JSON.stringify({ name: 'x', version: '3.0.0', finch: { ...least, id: 'other' } });
    const both = readManifest({ finchJson: finch(least), packageJson });
    expect(both).toMatchObject({ ok: true, file: 'finch.json', version: '3.0.0', manifest: { id: 'bot' } });
    expect(readManifest({ packageJson })).toMatchObject({ ok: true, file: 'package.json', manifest: { id: 'other' } });
  });

  it('MF2: keeps what it does not know', () => {
    expect(must({ later: { a: 1 }, permissions: { camera: true } })).toMatchObject({ later: { a: 1 }, permissions: { camera: true, network: false } });
  });

  it('takes the id from the name of the package', () => {
    const found = readManifest({ packageJson: JSON.stringify({ name: '@acme/My_Bot', finch: { manifestVersion: 1, name: 'Bot' } }) });
    expect(found).toMatchObject({ ok: true, manifest: { id: 'my-bot' }, version: '0.0.0' });
  });

  it('MF1: tells all of its faults at once', () => {
    const found = read({
      manifestVersion: 2,
      id: 'Bad Id',
      main: '../outside.js',
      minVersion: '>=1.0.0',
      contributes: {
        sessionContainers: [
          { id: 'a', mode: 'assistant' },
          { id: 'a', mode: 'other' },
          { id: 'b/c', agentProfile: 'nobody' },
        ],
        schedules: [{ id: 's', cron: '* *', everySeconds: 5, timezone: 'Mars/Base' }],
        mcpServers: [{ name: 'm', command: 'x', url: 'y' }],
        webhooks: [{ id: 'w', verify: 'trust-me' }],
      },
      permissions: { filesystem: 'all', secrets: ['*', 'mcp.*', 'a*b'], network: 'yes' },
    });
    expect(new Set(pointers(found))).toEqual(
      new Set([
        '/manifestVersion',
        '/id',
        '/main',
        '/minVersion',
        '/contributes/sessionContainers/0/agentProfile',
        '/contributes/sessionContainers/1/id',
        '/contributes/sessionContainers/1/mode',
        '/contributes/sessionContainers/2/id',
        '/contributes/sessionContainers/2/agentProfile',
        '/contributes/schedules/0',
        '/contributes/schedules/0/cron',
        '/contributes/schedules/0/timezone',
        '/contributes/mcpServers/0',
        '/contributes/webhooks/0/verify',
        '/permissions/filesystem',
        '/permissions/network',
        '/permissions/secrets/0',
        '/permissions/secrets/2',
      ]),
    );
    if (found.ok) throw new Error('it is faulty');
    expect(found.faults.every(({ wanted }) => wanted !== '')).toBe(true);
  });

  it('MF3 refuses a schedule that never comes, saying why', () => {
    const scheduled = (schedule: object) => read({ manifestVersion: 1, id: 'x', name: 'x', contributes: { schedules: [{ id: 's', ...schedule }] } });
    const faults = (schedule: object): readonly string[] => {
      const found = scheduled(schedule);
      return found.ok ? [] : found.faults.map(({ pointer, wanted }) => `${pointer} ${wanted}`);
    };
    for (const cron of ['* * * * *', ' 0   12 * * * ', '*/5 9-17 * * MON-FRI', '0 0 29 2 *', '0 0 L * *', '30 9 * * 1,3'])
      expect(faults({ cron, timezone: 'Europe/Berlin' }), cron).toEqual([]);
    for (const cron of ['99 99 * * *', '60 * * * *', '0 0 31 2 *', '0 24 * * *', '* * * 13 *', '5-1-2 * * * *', 'a b c d e', '@daily', '* * * * * *', ''])
      expect(faults({ cron }).join(), cron).toContain('/contributes/schedules/0/cron ');
    expect(faults({ cron: '0 0 31 2 *' }).join()).toContain('never does');
    expect(faults({ cron: '99 99 * * *' }).join()).toContain('99 99 * * *');
    expect(faults({ everySeconds: 60, timezone: '+02:00' })).toEqual(['/contributes/schedules/0/timezone the name of a time zone, like "Europe/Berlin"']);
    expect(faults({ cron: '* '.repeat(5_000) }).join()).not.toContain('* * *');
  });

  it('points into package.json where it stands there', () => {
    expect(pointers(readManifest({ packageJson: JSON.stringify({ name: 'x', finch: { manifestVersion: 1 } }) }))).toEqual(['/finch/name']);
  });

  it.each([
    ['no file', {}],
    ['no key in package.json', { packageJson: '{"name":"x"}' }],
    ['no JSON', { finchJson: '{' }],
    ['a list', { finchJson: '[]' }],
    ['a list in package.json', { packageJson: '{"finch": []}' }],
    ['a __proto__', { finchJson: '{"manifestVersion":1,"id":"a","name":"A","x":{"__proto__":{}}}' }],
  ])('is refused with %s', (_, files) => {
    expect(readManifest(files).ok).toBe(false);
  });

  it('takes an assistant with a profile that is there', () => {
    const contributes = { sessionContainers: [{ id: 'a', mode: 'assistant', agentProfile: 'p' }], agentProfiles: [{ id: 'p', prompt: 'Be kind' }] };
    expect(read({ contributes }).ok).toBe(true);
  });
});

describe('secrets', () => {
  const manifest = must({ permissions: { secrets: ['API_KEY', 'mcp.*'] } });

  it.each(['API_KEY', 'mcp.github', 'mcp.a.b'])('"%s" is declared', (name) => {
    expect(maySeeSecret(manifest, name)).toBe(true);
  });

  it.each(['API_KEY2', 'api_key', 'mcp', 'mcp.', 'mcpx', 'mcp.*x'.slice(0, 3)])('"%s" is not', (name) => {
    expect(maySeeSecret(manifest, name)).toBe(false);
  });
});

describe('texts', () => {
  it('are those of the language, else the default, else any', () => {
    expect(localised({ default: 'd', 'en-US': 'e', 'zh-CN': 'z' }, 'zh-CN')).toBe('z');
    expect(localised({ default: 'd', 'en-US': 'e' }, 'zh-CN')).toBe('d');
    expect(localised({ 'en-US': 'e' }, 'zh-CN')).toBe('e');
    expect(localised('plain', 'zh-CN')).toBe('plain');
  });

  it('of i18n files win over the manifest, flat or nested', () => {
    const manifest = must({
      name: { default: 'Bot', 'zh-CN': '旧' },
      contributes: { sessionContainers: [{ id: 'inbox', title: 'Inbox', starterPrompts: [{ title: 'Hi', prompt: 'Say hi' }] }] },
      settings: { fields: [{ key: 'endpoint', type: 'string' }] },
    });
    const messages = {
      'zh-CN': { name: '机器人', 'sessionContainers.inbox.title': '收件箱', sessionContainers: { inbox: { starterPrompts: [{ title: '你好' }] } } },
    };
    expect(localiseManifest(manifest, 'zh-CN', messages)).toMatchObject({
      name: '机器人',
      description: '',
      sessionContainers: [{ id: 'inbox', title: '收件箱', starterPrompts: [{ title: '你好', prompt: 'Say hi' }] }],
      settingsFields: [{ key: 'endpoint', label: 'endpoint' }],
    });
    expect(localiseManifest(manifest, 'en-US', messages)).toMatchObject({ name: 'Bot', sessionContainers: [{ title: 'Inbox' }] });
  });
});

import { describe, expect, it } from 'vitest';
import { MinitoolError } from '../failure.ts';
import { eventually, startFakeHost } from '../testing/fake-host.ts';

describe('ctx', () => {
  it('says what it was told at the beginning', async () => {
    await using host = await startFakeHost({
      beginning: {
        settings: { endpoint: 'x', deep: { a: 1 } },
        workspace: { spaceId: 'sp', directoryPath: '/d' },
        session: { id: 'ses', model: 'demo', cwd: '/c' },
        contributions: { mcpServers: [{ extensionId: 'e', extensionName: 'E', extensionPath: '/e', source: 'global', value: { name: 'm' } }] },
      },
      answers: { 'app.info': () => ({ name: 'Turnkeeper' }), 'status.get': () => ({ status: 'idle' }) },
    });
    const { ctx } = host;
    expect(ctx.minitool).toBe(ctx.extension);
    expect(ctx.minitool).toMatchObject({ id: 'bot', version: '1.2.3', extensionPath: host.folder, isActive: true, scope: 'global' });
    expect([ctx.storagePath, ctx.settings.get('endpoint'), ctx.settings.get('constructor'), ctx.settings.all()]).toEqual([
      host.folder,
      'x',
      undefined,
      { endpoint: 'x', deep: { a: 1 } },
    ]);
    (ctx.settings.all()['deep'] as { a: number }).a = 2;
    expect(ctx.settings.get('deep')).toEqual({ a: 1 });
    expect(ctx.workspace).toEqual({ spaceId: 'sp', spaceName: undefined, directoryPath: '/d', projectPath: undefined });
    expect(ctx.session).toEqual({ id: 'ses', model: 'demo', cwd: '/c', title: undefined, spaceId: undefined });
    expect(ctx.minitools.listContributions('mcpServers')).toMatchObject([{ value: { name: 'm' } }]);
    expect(ctx.extensions.listContributions('toString')).toEqual([]);
    expect(await ctx.app.getInfo()).toEqual({ name: 'Turnkeeper' });
    expect(await ctx.status.get()).toEqual({ status: 'idle' });
  });

  it('keeps values and secrets with the server', async () => {
    await using host = await startFakeHost({
      answers: { 'storage.get': ({ key }) => (key === 'a' ? { value: 1 } : {}), 'storage.keys': () => ['a'], 'secrets.get': () => ({ value: 'shh' }) },
    });
    const { storage, secrets } = host.ctx;
    expect([await storage.get('a'), await storage.get('b'), await storage.keys()]).toEqual([1, undefined, ['a']]);
    await storage.set('a', { when: new Date(0), none: undefined, list: [1] });
    await storage.delete('a');
    await storage.clear();
    expect(await secrets.get('k')).toBe('shh');
    await secrets.set('k', 'v');
    await secrets.delete('k');
    expect(host.asked.find(({ method }) => method === 'storage.set')?.params).toEqual({ key: 'a', value: { when: '1970-01-01T00:00:00.000Z', list: [1] } });
    const circle: unknown[] = [];
    circle.push(circle);
    for (const lost of [undefined, () => 1, Number.NaN, new Map(), { a: { b: Symbol('x') } }, [undefined], circle, 1n])
      await expect(storage.set('a', lost)).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(storage.set('', 1)).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(secrets.set('k', 1 as never)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(host.asked.filter(({ method }) => /set$/.test(method))).toHaveLength(2);
  });

  it('speaks the language of the installation', async () => {
    await using host = await startFakeHost({
      beginning: {
        messages: { 'en-US': { toast: { done: '{name} done, {missing}' }, only: 'English' }, 'zh-CN': { 'toast.done': '{name} 完成', 'zh.only': '中' } },
      },
    });
    const { i18n } = host.ctx;
    expect(i18n.t('toast.done', { name: 'X' })).toBe('X done, {missing}');
    expect([i18n.t('zh.only'), i18n.t('nothing.here'), i18n.t('toast.done', { name: null, missing: 0 })]).toEqual(['中', 'nothing.here', ' done, 0']);
    expect([i18n.has('only'), i18n.has('toast'), i18n.has('constructor.name')]).toEqual([true, false, false]);
    const heard: string[] = [];
    i18n.onDidChangeLocale((locale) => heard.push(locale));
    await host.peer.tell('locale', { locale: 'zh-CN' });
    await eventually(() => heard.length === 1);
    expect([i18n.locale, i18n.t('toast.done', { name: 'X' }), i18n.t('only')]).toEqual(['zh-CN', 'X 完成', 'English']);
  });

  it('logs as the console does', async () => {
    await using host = await startFakeHost();
    const { logger } = host.ctx;
    logger.debug('%s is %d', 'x', 1);
    logger.info({ a: [1] });
    logger.warn(new Error('w').message);
    logger.error('y'.repeat(20_000));
    await eventually(() => host.logged.length === 4);
    expect(host.logged.slice(0, 3)).toEqual(['debug x is 1', 'info { a: [ 1 ] }', 'warn w']);
    expect(host.logged[3]).toHaveLength('error '.length + 16_384 + 1);
  });

  it('UD1: shows things, and is dismissed where nobody is there', async () => {
    let answer: () => object = () => ({ action: 'action', confirmed: true, values: { a: 1 } });
    await using host = await startFakeHost({ answers: { 'ui.show': () => answer() } });
    const { ui } = host.ctx;
    expect(await ui.showToast({ title: 'T' })).toEqual({ action: 'action' });
    expect(await ui.showConfirmDialog({ title: 'T' })).toEqual({ confirmed: true });
    expect(await ui.showModalDialog({ title: 'T' })).toEqual({ action: 'action', values: { a: 1 } });
    ui.notify('n', 'warning');
    await eventually(() => host.asked.length === 4);
    expect(host.asked[3]?.params).toEqual({ kind: 'toast', options: { title: 'n', variant: 'warning' } });
    answer = () => {
      throw new MinitoolError('internal_error', 'no console');
    };
    expect(await ui.showToast({ title: 'T' })).toEqual({ action: 'dismissed' });
    expect(await ui.showConfirmDialog({ title: 'T' })).toEqual({ confirmed: false });
    expect(await ui.showModalDialog({ title: 'T' })).toEqual({ action: 'dismissed' });
  });

  it('closes a dialog by itself', async () => {
    let stopped = false;
    await using host = await startFakeHost({
      answers: {
        'ui.show': (_, signal) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              stopped = true;
              resolve({});
            }),
          ),
      },
    });
    const dialog = host.ctx.ui.showModalDialog({ title: 'T' });
    await eventually(() => host.asked.length === 1);
    await dialog.close('save');
    expect(await dialog).toEqual({ action: 'save' });
    await eventually(() => stopped);
  });

  it('says what a server does not have', async () => {
    await using host = await startFakeHost();
    const { ctx } = host;
    const commands = ctx.commands as unknown as { register: () => void };
    expect(() => commands.register()).toThrow(expect.objectContaining({ code: 'not_supported', message: expect.stringContaining('commands.register') }));
    expect(() => ctx.ui.createCanvasWindow({ entry: 'x', width: 1, height: 1 })).toThrow(expect.objectContaining({ code: 'not_supported' }));
    expect(() => ctx.ui.createWebviewPanel({ title: 'x', html: '' })).toThrow(/not available on a server/);
  });

  it('takes what has no place yet, and says so once', async () => {
    await using host = await startFakeHost();
    const { ctx } = host;
    const menu = { getMenu: async () => [], execute: async () => {} };
    for (let times = 0; times < 2; times += 1) {
      const made = [
        ctx.composerActions.register('a', {}),
        ctx.icons.register('p', {}),
        ctx.settingsMenu.register(menu),
        ctx.sessionContainers.registerSettingsMenu('c', menu),
      ];
      for (const each of made) each.dispose();
      ctx.settingsMenu.register(menu).notifyUpdate();
    }
    expect(await ctx.oauth.getStatus({ id: 'github' } as never)).toEqual({ providerId: 'github', connected: false, scopes: [] });
    await expect(ctx.oauth.connect({} as never)).rejects.toMatchObject({ code: 'not_supported' });
    await host.peer.ask('ping', {});
    await eventually(() => host.logged.length === 5);
  });

  it('observes the service after it was asked for', async () => {
    const seen: unknown[] = [];
    await using host = await startFakeHost({
      entry: {
        activate: (ctx) => {
          ctx.events.onAgentEvent((event) => seen.push(event));
          ctx.events.onAgentEvent((event) => seen.push(event));
          ctx.status.onDidChange((event) => seen.push(event));
          ctx.notifications.onDidPost((event) => seen.push(event));
        },
      },
    });
    expect(host.asked.map(({ params }) => params)).toEqual([{ to: 'agentEvents' }, { to: 'status' }, { to: 'notifications' }]);
    await host.peer.tell('agentEvent', { kind: 'result' });
    await host.peer.tell('status', { status: 'idle' });
    await host.peer.tell('notification', { title: 'n' });
    await eventually(() => seen.length === 4);
    expect(seen).toEqual([{ kind: 'result' }, { kind: 'result' }, { status: 'idle' }, { title: 'n' }]);
  });

  it('lends and borrows capabilities that are declared', async () => {
    await using host = await startFakeHost({
      beginning: { declared: { provides: ['sum'], requires: ['mcp.client'] }, capabilities: ['mcp.client'] },
      answers: { 'capabilities.invoke': ({ name, method, args }) => ({ name, method, args }), 'capabilities.version': () => ({ version: '1.0.0' }) },
    });
    const { capabilities } = host.ctx;
    const mcp = capabilities.get<{ listTools(server: string): Promise<unknown> }>('mcp.client');
    expect(await mcp.listTools('fs')).toEqual({ name: 'mcp.client', method: 'listTools', args: ['fs'] });
    expect(await (async () => mcp)()).toBe(mcp);
    expect([capabilities.has('mcp.client'), capabilities.has('other'), await capabilities.getVersion('mcp.client')]).toEqual([true, false, '1.0.0']);
    expect(() => capabilities.get('other')).toThrow(expect.objectContaining({ code: 'permission_denied' }));
    expect(() => capabilities.provide('other', {})).toThrow(expect.objectContaining({ code: 'permission_denied' }));
    const handle = capabilities.provide('sum', { add: (a: number, b: number) => a + b }, { version: '2.0.0' });
    expect(await host.peer.ask('capabilities.call', { name: 'sum', method: 'add', args: [1, 2] })).toBe(3);
    for (const method of ['toString', '__proto__', 'other'])
      await expect(host.peer.ask('capabilities.call', { name: 'sum', method, args: [] })).rejects.toMatchObject({ code: 'not_found' });
    handle.dispose();
    await host.peer.tell('capabilities', { names: ['other'] });
    await eventually(() => capabilities.has('other'));
    expect(host.asked.filter(({ method }) => /provide|withdraw/.test(method)).map(({ params }) => params)).toEqual([
      { name: 'sum', methods: ['add'], version: '2.0.0' },
      { name: 'sum' },
    ]);
  });

  it('takes what comes from outside and what comes by time', async () => {
    const seen: unknown[] = [];
    await using host = await startFakeHost({
      entry: {
        activate: ({ http, timers }) => {
          http.onWebhook('slack', (delivery) => {
            if (delivery.text() === 'bad') throw new Error('not now');
            seen.push([delivery.webhookId, delivery.idempotencyKey, delivery.json(), delivery.body.length]);
          });
          timers.onSchedule('daily', ({ scheduleId, fireId, slot }) => void seen.push([scheduleId, fireId, slot]));
          timers.onSchedule('hourly', () => {});
        },
      },
    });
    expect(host.asked.map(({ method, params }) => [method, params])).toEqual([
      ['webhooks.begin', { id: 'slack' }],
      ['schedules.begin', { id: 'daily' }],
      ['schedules.begin', { id: 'hourly' }],
    ]);
    const deliver = (body: string) =>
      host.peer.ask('webhooks.deliver', {
        id: 'slack',
        delivery: { id: 'd', idempotencyKey: 'Ev1', orderKey: 'C1', headers: {}, body: Buffer.from(body).toString('base64'), receivedAt: '', attempt: 1 },
      });
    expect(await deliver('{"a":1}')).toBe(null);
    await expect(deliver('bad')).rejects.toThrow('not now');
    expect(await host.peer.ask('schedules.fire', { id: 'daily', fireId: 'f', slot: '2026-01-01T00:00:00.000Z' })).toBe(null);
    expect(seen).toEqual([
      ['slack', 'Ev1', { a: 1 }, 7],
      ['daily', 'f', '2026-01-01T00:00:00.000Z'],
    ]);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MinitoolError } from '../failure.ts';
import { type HostRequests, maxCallsInFlight, type SentAttachment } from '../protocol.ts';
import { eventually, startFakeHost } from '../testing/fake-host.ts';

type Call = HostRequests['sessions.call'][0];
const startWith = async (answer: (call: Call, signal: AbortSignal) => unknown = () => null) => startFakeHost({ answers: { 'sessions.call': answer } });
const callsOf = (host: { readonly asked: readonly { readonly method: string; readonly params: unknown }[] }): readonly Call[] =>
  host.asked.filter(({ method }) => method === 'sessions.call').map(({ params }) => params as Call);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const attachment = (data: string) => ({ name: 'a.txt', mimeType: 'text/plain', data });
const message = (changes: object = {}) => ({ text: 'hi', idempotencyKey: 'k', ...changes });

describe('ctx.sessions', () => {
  it('says each method as it was given', async () => {
    await using host = await startWith(({ method }) => (method === 'cancelTurn' ? true : null));
    const { sessions } = host.ctx;
    await sessions.create({ containerId: 'c', title: 'T' });
    expect(await sessions.get('s')).toBeUndefined();
    await sessions.list({ includeArchived: true });
    await sessions.send('s', message(), { delivery: 'queue' });
    await sessions.waitForTurn('s', 't', { timeoutMs: 5 });
    await sessions.listEvents({ sessionId: 's', after: 3 });
    await sessions.listWaits('s');
    expect(await sessions.waitForWait('s')).toBeUndefined();
    await sessions.respondToWait('s', 'r', { kind: 'permission', allow: true });
    expect(await sessions.cancelTurn('s', 't')).toBe(true);
    expect(await sessions.setPermissionMode('s', 'ask')).toBeUndefined();
    expect(callsOf(host)).toEqual([
      { method: 'create', args: [{ containerId: 'c', title: 'T' }] },
      { method: 'get', args: ['s'] },
      { method: 'list', args: [{ includeArchived: true }] },
      { method: 'send', args: ['s', message(), { delivery: 'queue' }] },
      { method: 'waitForTurn', args: ['s', 't', { timeoutMs: 5 }] },
      { method: 'listEvents', args: [{ sessionId: 's', after: 3 }] },
      { method: 'listWaits', args: ['s'] },
      { method: 'waitForWait', args: ['s'] },
      { method: 'respondToWait', args: ['s', 'r', { kind: 'permission', allow: true }] },
      { method: 'cancelTurn', args: ['s', 't'] },
      { method: 'setPermissionMode', args: ['s', 'ask'] },
    ]);
  });

  it('MW1: rejects with the code of the server, and never throws at once', async () => {
    await using host = await startWith(({ method }) => {
      throw new MinitoolError('permission_denied', `${method} needs permissions.sessions`, { field: 'permissions.sessions' });
    });
    const { sessions } = host.ctx;
    const wrong = undefined as never;
    const all = [
      () => sessions.create(wrong),
      () => sessions.get(wrong),
      () => sessions.list(wrong),
      () => sessions.send(wrong, wrong),
      () => sessions.send('s', { text: 'x'.repeat(100_001), idempotencyKey: 'k' }),
      () => sessions.create({ initialMessage: message({ attachments: [attachment('!')] }) }),
      () => sessions.waitForTurn(wrong, wrong, 7 as never),
      () => sessions.listEvents(wrong),
      () => sessions.listWaits(wrong),
      () => sessions.waitForWait(wrong, wrong),
      () => sessions.respondToWait(wrong, wrong, wrong),
      () => sessions.cancelTurn(wrong, wrong),
      () => sessions.setPermissionMode(wrong, wrong),
    ];
    for (const call of all) await expect(call()).rejects.toMatchObject({ code: 'permission_denied', details: { field: 'permissions.sessions' } });
  });

  it('MW1: rejects what is no JSON', async () => {
    await using host = await startWith();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(host.ctx.sessions.send('s', message({ metadata: circle }))).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(host.ctx.sessions.send('s', message({ metadata: { n: 1n } }))).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('never lets NaN pass as "no time given"', async () => {
    await using host = await startWith();
    await host.ctx.sessions.waitForTurn('s', 't', { timeoutMs: Number.NaN });
    await host.ctx.sessions.waitForTurn('s', 't', { timeoutMs: Number.POSITIVE_INFINITY });
    await host.ctx.sessions.listEvents({ sessionId: 's', after: Number.NaN });
    expect(callsOf(host).map(({ args }) => args.at(-1))).toEqual([
      { timeoutMs: 'NaN' },
      { timeoutMs: Number.MAX_SAFE_INTEGER },
      { sessionId: 's', after: 'NaN' },
    ]);
  });

  it('RJ2: waits for so many answers at once and no more', async () => {
    let open = 0;
    const gate = Promise.withResolvers<null>();
    await using host = await startWith(() => {
      open += 1;
      return gate.promise;
    });
    const calls = Array.from({ length: maxCallsInFlight }, () => host.ctx.sessions.get('s'));
    await expect(host.ctx.sessions.get('s')).rejects.toMatchObject({ code: 'too_many_calls' });
    await eventually(() => open === maxCallsInFlight);
    gate.resolve(null);
    await Promise.all(calls);
    expect(await host.ctx.sessions.get('s')).toBeUndefined();
  });
});

describe('attachments', () => {
  it('MO2: go as files, which are gone afterwards', async () => {
    const files: string[] = [];
    await using host = await startWith(async ({ args }) => {
      const sent = (args[1] as { readonly attachments: readonly SentAttachment[] }).attachments;
      for (const { file } of sent) files.push(await readFile(join(host.folder, file), 'utf8'));
      return { state: 'accepted' };
    });
    await host.ctx.sessions.send('s', message({ text: '', attachments: [attachment(base64('one')), { ...attachment(base64('twö')), kind: 'text' as const }] }));
    expect(files).toEqual(['one', 'twö']);
    const [call] = callsOf(host);
    const file = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(call?.args[1]).toEqual({
      text: '',
      idempotencyKey: 'k',
      attachments: [
        { file, name: 'a.txt', mimeType: 'text/plain', size: 3 },
        { file, name: 'a.txt', mimeType: 'text/plain', kind: 'text', size: 4 },
      ],
    });
    expect(await readdir(host.folder)).toEqual([]);
  });

  it('MO2: are gone also when the call fails', async () => {
    await using host = await startWith(() => {
      throw new MinitoolError('not_found', 'no');
    });
    const initialMessage = message({ attachments: [attachment(base64('x'))] });
    await expect(host.ctx.sessions.create({ containerId: 'c', initialMessage })).rejects.toMatchObject({ code: 'not_found' });
    expect(await readdir(host.folder)).toEqual([]);
  });

  const most = 20 * 1024 * 1024;
  it.each([
    ['a text of 100,001 characters', { text: '😀'.repeat(100_001) }],
    ['eleven attachments', { attachments: Array.from({ length: 11 }, () => attachment('')) }],
    ['a lie', { attachments: [attachment('not base64!')] }],
    ['a data URL', { attachments: [attachment(`data:text/plain;base64,${base64('x')}`)] }],
    ['no padding', { attachments: [attachment('eA')] }],
    ['no name', { attachments: [{ ...attachment(''), name: '' }] }],
    ['no data', { attachments: [{ name: 'x', mimeType: 'text/plain' }] }],
    ['a strange kind', { attachments: [{ ...attachment(''), kind: 'video' }] }],
    ['one byte more than 20 MB', { attachments: [attachment(Buffer.alloc(most + 1).toString('base64'))] }],
    ['one byte more than 20 MB together', { attachments: [attachment(Buffer.alloc(most).toString('base64')), attachment(base64('x'))] }],
  ])('MO1: %s is refused before it is sent', async (_, changes) => {
    await using host = await startWith(() => ({ sessionId: 's' }));
    await expect(host.ctx.sessions.send('s', message(changes))).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(host.ctx.sessions.create({ containerId: 'c', initialMessage: message(changes) })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(callsOf(host).map(({ method }) => method)).toEqual(['get', 'get']);
    expect(await readdir(host.folder)).toEqual([]);
  });

  it('take as much as they may', async () => {
    await using host = await startWith();
    const attachments = [attachment(Buffer.alloc(most - 1).toString('base64')), attachment(base64('x'))];
    await host.ctx.sessions.send('s', message({ text: '😀'.repeat(100_000), attachments }));
    expect(callsOf(host).map(({ method }) => method)).toEqual(['send']);
  });

  it('MW2: of a session that is not there say that, whatever is wrong with them', async () => {
    await using host = await startWith(() => null);
    await expect(host.ctx.sessions.send('theirs', message({ attachments: [attachment('!')] }))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('events', () => {
  it('EN1: reach every listener in order, whoever throws', async () => {
    const seen: string[] = [];
    await using host = await startFakeHost({
      entry: {
        activate: ({ sessions }) => {
          sessions.onDidReceiveEvent(({ turnId }) => {
            seen.push(`first ${turnId}`);
            throw new Error('broken');
          });
          sessions.onDidReceiveEvent(async () => Promise.reject(new Error('broken later')));
          sessions.onDidReceiveEvent(({ turnId }) => seen.push(`last ${turnId}`));
        },
      },
    });
    expect(host.asked).toEqual([{ method: 'subscribe', params: { to: 'events' } }]);
    for (const turnId of ['1', '2']) await host.peer.tell('event', { type: 'turn.completed', sessionId: 's', turnId });
    await eventually(() => seen.length === 4 && host.logged.length === 4);
    expect(seen).toEqual(['first 1', 'last 1', 'first 2', 'last 2']);
    expect(host.logged.filter((line) => /broken/.test(line))).toHaveLength(4);
  });

  it('are heard no more after dispose', async () => {
    await using host = await startFakeHost();
    const seen: string[] = [];
    const handle = host.ctx.sessions.onDidReceiveEvent(({ turnId }) => seen.push(turnId));
    await host.peer.tell('event', { turnId: '1' });
    await eventually(() => seen.length === 1);
    handle.dispose();
    await host.peer.tell('event', { turnId: '2' });
    await host.peer.ask('ping', {});
    expect(seen).toEqual(['1']);
  });

  it('are consumed: a handler that fails says so, one that succeeds acknowledges', async () => {
    let isBroken = true;
    await using host = await startFakeHost();
    const handle = host.ctx.sessions.consume('replies', async () => {
      if (isBroken) throw new Error('the platform is down');
    });
    const deliver = () => host.peer.ask('consume.deliver', { name: 'replies', event: { type: 'turn.completed' } });
    await expect(deliver()).rejects.toThrow('the platform is down');
    isBroken = false;
    expect(await deliver()).toBe(null);
    await expect(host.peer.ask('consume.deliver', { name: 'others', event: {} })).rejects.toMatchObject({ code: 'not_found' });
    host.ctx.sessions.consume('replies', () => {}).dispose();
    expect(await deliver()).toBe(null);
    handle.dispose();
    await eventually(() => host.asked.length === 2);
    expect(host.asked.map(({ method }) => method)).toEqual(['consume.begin', 'consume.end']);
    await eventually(() => host.logged.some((line) => /has a handler already/.test(line)));
  });
});

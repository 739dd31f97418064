import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { describe, expect, it } from 'vitest';
import type { SessionBridgeEvent } from '../context/session-events.ts';
import type { SessionSendReceipt } from '../context/sessions.ts';
import type { MiniToolContext } from '../context.ts';
import type { ManifestInput } from '../manifest/schema.ts';
import type { Kit, KitOptions } from './kit.ts';
import { startKit } from './start-kit.ts';

const manifest: ManifestInput = {
  manifestVersion: 1,
  id: 'bot',
  name: 'Bot',
  contributes: {
    tools: true,
    sessionContainers: [{ id: 'inbox' }, { id: 'workers' }],
    webhooks: [{ id: 'chat', verify: 'none' }],
    schedules: [{ id: 'daily', cron: '0 8 * * *' }],
  },
  requires: { capabilities: ['sum'] },
  permissions: { sessions: true, sessionInteractions: true, secrets: ['TOKEN'] },
};

const start = (options: Partial<KitOptions> = {}, activate: (ctx: MiniToolContext) => unknown = () => {}): Promise<Kit> =>
  startKit({ manifest, module: { activate }, ...options });
const message = (idempotencyKey: string, text = 'hi') => ({ text, idempotencyKey });
const inbox = { containerId: 'inbox' };

const accepted = (receipt: SessionSendReceipt): Exclude<SessionSendReceipt, { readonly state: 'rejected' }> => {
  if (receipt.state === 'rejected') throw new Error('it was rejected');
  return receipt;
};

describe('a kit', () => {
  it('runs a turn and tells what happens in it', async () => {
    const seen: SessionBridgeEvent[] = [];
    await using kit = await start({}, (ctx) => void ctx.subscriptions.push(ctx.sessions.onDidReceiveEvent((event) => seen.push(event))));
    const { sessions } = kit.ctx;
    const session = await sessions.create({ ...inbox, initialMessage: { ...message('k'), metadata: { chat: 7 } } });
    expect(session).toMatchObject({ owner: { minitoolId: 'bot' }, placement: { type: 'minitool', containerId: 'inbox' }, activity: 'interactive' });
    expect(await sessions.waitForTurn(session.sessionId, session.turnId)).toMatchObject({ state: 'completed', outputText: 'You said: hi' });
    await kit.settle();
    expect(seen.map(({ type, metadata }) => [type, metadata])).toEqual(
      ['assistant.delta', 'assistant.message', 'turn.completed'].map((type) => [type, { chat: 7 }]),
    );
    const page = await sessions.listEvents({ sessionId: session.sessionId });
    expect([page.events.map(({ sequence }) => sequence), page.nextCursor]).toEqual([[1, 2], 2]);
    expect(await sessions.listEvents({ sessionId: session.sessionId, after: 2 })).toEqual({ events: [] });
  });

  it('plans, lets workers work and writes', async () => {
    await using kit = await start({ agent: ({ text }) => `did ${text}` }, (ctx) => {
      ctx.tools.register({
        name: 'plan',
        title: 'Plan',
        description: 'Plans',
        inputSchema: { type: 'object', properties: { tasks: { type: 'array', items: { type: 'string' } } }, required: ['tasks'] },
        async execute({ tasks }, exec) {
          const run = async (task: string, i: number): Promise<string> => {
            const initialMessage = message(`job-${exec.toolCallId}-${i}`, task);
            const s = await ctx.sessions.create({ containerId: 'workers', activity: 'background', context: 'caller', initialMessage });
            const result = await ctx.sessions.waitForTurn(s.sessionId, s.turnId);
            return result.state === 'completed' ? result.outputText : result.state;
          };
          const results = await Promise.all((tasks as string[]).map(run));
          return { content: [{ type: 'text', text: results.join(', ') }] };
        },
      });
    });
    expect(await kit.execute('plan', { tasks: ['a', 'b'] }, { spaceId: 'sp' })).toEqual({ content: [{ type: 'text', text: 'did a, did b' }] });
    expect((await kit.ctx.sessions.list({ containerId: 'workers' })).map(({ contextSpaceId, activity }) => [contextSpaceId, activity])).toEqual([
      ['sp', 'background'],
      ['sp', 'background'],
    ]);
    expect(await kit.execute('plan', { tasks: 'a' })).toMatchObject({ isError: true });
    await expect(kit.ctx.sessions.create({ ...inbox, context: 'caller' })).rejects.toMatchObject({ code: 'caller_context_unavailable' });
    await expect(kit.execute('other')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuses as the service does', async () => {
    await using kit = await start({ spaces: ['sp'] });
    const { sessions } = kit.ctx;
    const code = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'nothing',
        (error: { readonly code?: string }) => error.code,
      );
    expect(await code(sessions.create({ containerId: 'other' }))).toBe('invalid_argument');
    expect(await code(sessions.create({ ...inbox, space: { spaceId: 'sp' } }))).toBe('invalid_argument');
    expect(await code(sessions.create({}))).toBe('invalid_argument');
    expect(await code(sessions.create({ space: { spaceId: 'other' } }))).toBe('not_found');
    expect(await code(sessions.create({ ...inbox, initialMessage: message(' ') }))).toBe('invalid_argument');
    expect(await sessions.list()).toEqual([]);
    const { sessionId } = await sessions.create({ space: { spaceId: 'sp' } });
    expect(await code(sessions.send(sessionId, message('k', ' ')))).toBe('invalid_argument');
    expect(await code(sessions.send(sessionId, message('x'.repeat(513))))).toBe('invalid_argument');
    expect(await code(sessions.send(sessionId, { ...message('k'), metadata: { big: 'x'.repeat(4_096) } }))).toBe('invalid_argument');
    expect(await code(sessions.send('other', message('k')))).toBe('not_found');
    expect(await code(sessions.waitForTurn(sessionId, 'other'))).toBe('not_found');
    expect(await code(sessions.waitForTurn(sessionId, accepted(await sessions.send(sessionId, message('k'))).turnId, { timeoutMs: Number.NaN }))).toBe(
      'invalid_argument',
    );
    expect(await sessions.get('other')).toBeUndefined();
    await using denied = await start({ manifest: { ...manifest, permissions: {} } });
    expect(await code(denied.ctx.sessions.list())).toBe('permission_denied');
    expect(await code(denied.ctx.secrets.get('TOKEN'))).toBe('permission_denied');
  });

  it('knows a key again, whatever has become of the session', async () => {
    await using kit = await start();
    const { sessions } = kit.ctx;
    const create = () => sessions.create({ ...inbox, initialMessage: message('welcome') });
    const [first, second] = [await create(), await create()];
    expect([second.sessionId, second.turnId]).toEqual([first.sessionId, first.turnId]);
    const { sessionId } = first;
    const receipt = accepted(await sessions.send(sessionId, message('k')));
    expect(receipt).toMatchObject({ state: 'accepted', clientMessageId: 'k' });
    kit.archive(sessionId);
    expect(await sessions.send(sessionId, message('k'))).toEqual({ ...receipt, state: 'duplicate' });
    expect(await sessions.send(sessionId, message('k', 'edited'))).toEqual({ ...receipt, state: 'duplicate', contentDiffers: true });
    await expect(sessions.send(sessionId, message('new'))).rejects.toMatchObject({ code: 'session_archived' });
    expect([(await sessions.list()).length, (await sessions.list({ includeArchived: true })).length]).toEqual([0, 1]);
    expect(kit.logs.filter((line) => /other content/.test(line))).toHaveLength(1);
  });

  it('keeps one session for an external key', async () => {
    await using kit = await start();
    const { sessions } = kit.ctx;
    const first = await sessions.create({ ...inbox, externalKey: 'alice' });
    const second = await sessions.create({ ...inbox, externalKey: 'alice', initialMessage: message('k') });
    expect([first.created, second.created, second.sessionId, typeof second.turnId]).toEqual([true, false, first.sessionId, 'string']);
    await expect(sessions.create({ containerId: 'workers', externalKey: 'alice' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('is full at 20 turns of a session, and forgets what it rejected', async () => {
    const gate = Promise.withResolvers<void>();
    await using kit = await start({ agent: () => gate.promise });
    const { sessions } = kit.ctx;
    const { sessionId } = await sessions.create(inbox);
    for (let n = 0; n < 20; n += 1)
      expect(await sessions.send(sessionId, message(`k${n}`))).toMatchObject({ state: 'accepted', queuePosition: n, pendingCount: n + 1, queued: n > 0 });
    const full = await sessions.send(sessionId, message('late'));
    expect(full).toEqual({
      sessionId,
      state: 'rejected',
      queued: false,
      code: 'queue_full',
      scope: 'session',
      pendingCount: 20,
      limit: 20,
      retryAfterMs: 1_000,
    });
    expect(await sessions.send(sessionId, message('k3'))).toMatchObject({ state: 'duplicate' });
    gate.resolve();
    await kit.settle();
    expect(await sessions.send(sessionId, message('late'))).toMatchObject({ state: 'accepted' });
  });

  it('waits by its own clock, and no turn ends by a wait', async () => {
    await using kit = await start({ agent: async ({ sleep }) => sleep(90_000).then(() => 'slept') });
    const { sessions } = kit.ctx;
    const { sessionId, turnId } = await sessions.create({ ...inbox, initialMessage: message('k') });
    const waits = [
      sessions.waitForTurn(sessionId, turnId),
      sessions.waitForTurn(sessionId, turnId, { timeoutMs: 5 }),
      sessions.waitForTurn(sessionId, turnId, { timeoutMs: 1e9 }),
    ];
    const ends: number[] = [];
    for (const wait of waits) void wait.then(() => ends.push(kit.clock.now() - Date.UTC(2026, 0, 1)));
    for (let s = 0; s < 91; s += 1) await kit.clock.advance(1_000);
    expect((await Promise.all(waits)).map(({ state }) => state)).toEqual(['timeout', 'timeout', 'completed']);
    expect(ends).toEqual([1_000, 60_000, 90_000]);
  });

  it('asks, and takes answers of the mini-tool and of people', async () => {
    await using kit = await start({
      agent: async (turn) => {
        const harmless = await turn.askPermission({ toolName: 'read' });
        const grave = await turn.askPermission({ toolName: 'drop', destructive: true });
        const { color } = await turn.askQuestions([{ question: 'Which?', header: 'color', multiSelect: false, options: [] }]);
        return JSON.stringify([harmless, grave, color]);
      },
    });
    const { sessions } = kit.ctx;
    const { sessionId, turnId } = await sessions.create({ ...inbox, initialMessage: message('k') });
    const [read] = [await sessions.waitForWait(sessionId)];
    expect(read).toMatchObject({ kind: 'permission', toolName: 'read', turnId });
    const { requestId } = read!;
    await expect(sessions.respondToWait(sessionId, requestId, { kind: 'form', submitted: false })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await sessions.respondToWait(sessionId, requestId, { kind: 'permission', allow: true })).toEqual({ state: 'accepted', requestId });
    expect(await sessions.respondToWait(sessionId, requestId, { kind: 'permission', allow: true })).toEqual({
      state: 'stale',
      requestId,
      resolvedBy: 'minitool',
    });
    expect(await sessions.respondToWait(sessionId, 'other', { kind: 'permission', allow: true })).toEqual({ state: 'not_found', requestId: 'other' });
    const drop = await sessions.waitForWait(sessionId);
    expect(await sessions.respondToWait(sessionId, drop!.requestId, { kind: 'permission', allow: true })).toMatchObject({ state: 'forbidden' });
    expect(await kit.answer(drop!.requestId, { kind: 'permission', allow: true })).toBe(true);
    expect(await kit.answer(drop!.requestId, { kind: 'permission', allow: true })).toBe(false);
    const [question] = kit.waits();
    await sessions.respondToWait(sessionId, question!.requestId, { kind: 'question', answers: { color: 'blue' } });
    expect(await sessions.waitForTurn(sessionId, turnId)).toMatchObject({ outputText: '[true,true,"blue"]' });
    expect(kit.events.flatMap((event) => (event.type === 'turn.wait_resolved' ? [event.resolvedBy] : []))).toEqual(['minitool', 'user', 'minitool']);
  });

  it('does not ask in acceptCalls, but for what cannot be undone', async () => {
    await using kit = await start({
      agent: async (turn) => String([await turn.askPermission({ toolName: 'a' }), await turn.askPermission({ toolName: 'b', destructive: true })]),
    });
    const { sessions } = kit.ctx;
    const { sessionId, turnId } = await sessions.create({ ...inbox, activity: 'background', initialMessage: message('k') });
    await kit.settle();
    expect(kit.waits(sessionId).map((wait) => wait.kind === 'permission' && wait.toolName)).toEqual(['b']);
    const waiting = sessions.waitForTurn(sessionId, turnId);
    expect(await sessions.cancelTurn(sessionId, turnId)).toBe(true);
    expect(await sessions.cancelTurn(sessionId, turnId)).toBe(false);
    expect(await waiting).toMatchObject({ state: 'failed', code: 'cancelled', retryable: false });
    expect(kit.waits()).toEqual([]);
  });

  it('tells how turns fail, and of a session that is deleted', async () => {
    const never = new Promise<void>(() => {});
    await using kit = await start({ agent: (turn) => (turn.number === 1 ? turn.fail('model_error', true) : never) });
    const { sessions } = kit.ctx;
    const { sessionId, turnId } = await sessions.create({ ...inbox, initialMessage: message('k') });
    expect(await sessions.waitForTurn(sessionId, turnId)).toMatchObject({ state: 'failed', code: 'model_error', retryable: true });
    const next = accepted(await sessions.send(sessionId, message('k2')));
    const waiting = sessions.waitForTurn(sessionId, next.turnId);
    await kit.settle();
    await kit.deleteSession(sessionId);
    expect(await waiting).toMatchObject({ state: 'failed', code: 'session_deleted' });
    await expect(sessions.listWaits(sessionId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says when a cursor is behind what is kept', async () => {
    await using kit = await start();
    const { sessions } = kit.ctx;
    const { sessionId, turnId } = await sessions.create({ ...inbox, initialMessage: message('k') });
    await sessions.waitForTurn(sessionId, turnId);
    await sessions.waitForTurn(sessionId, accepted(await sessions.send(sessionId, message('k2'))).turnId);
    kit.forgetEvents(2);
    await expect(sessions.listEvents({ sessionId, after: 1 })).rejects.toMatchObject({ code: 'cursor_expired', details: { oldestCursor: 2 } });
    expect((await sessions.listEvents({ sessionId, after: 2 })).events.map(({ sequence }) => sequence)).toEqual([3, 4]);
    await kit.clock.advance(8 * 24 * 3_600_000);
    expect((await sessions.listEvents({ sessionId })).events).toEqual([]);
  });

  it('hands out events until they are taken, also after a restart', async () => {
    let isDown = true;
    const taken: string[] = [];
    const activate = (ctx: MiniToolContext): void => {
      ctx.sessions.consume('replies', (event) => {
        if (isDown) throw new Error('down');
        taken.push(`${event.sequence} ${event.type}`);
      });
    };
    await using kit = await start({}, activate);
    const { sessionId, turnId } = await kit.ctx.sessions.create({ ...inbox, initialMessage: message('k') });
    await kit.ctx.sessions.waitForTurn(sessionId, turnId);
    await kit.clock.advance(1_000);
    expect(taken).toEqual([]);
    isDown = false;
    await kit.clock.advance(1_999);
    expect(taken).toEqual([]);
    await kit.clock.advance(1);
    expect(taken).toEqual(['1 assistant.message', '2 turn.completed']);
    await kit.restart();
    await kit.settle();
    expect(taken).toHaveLength(2);
    await kit.ctx.sessions.send(sessionId, message('k2'));
    await kit.settle();
    expect(taken).toEqual(['1 assistant.message', '2 turn.completed', '3 assistant.message', '4 turn.completed']);
  });

  it('keeps values and secrets over a restart, shows forms, borrows capabilities', async () => {
    const activate = (ctx: MiniToolContext): void => {
      ctx.tools.register({
        name: 'ask',
        title: 'Ask',
        description: 'Asks',
        inputSchema: {},
        execute: async (_, exec) => ({ content: [{ type: 'text', text: JSON.stringify(await exec.ui.requestForm({ title: 'T', fields: [] })) }] }),
      });
    };
    await using kit = await start({ secrets: { TOKEN: 't' }, capabilities: { sum: { add: (a: number, b: number) => a + b } } }, activate);
    await kit.ctx.storage.set('a', { b: 1 });
    await kit.restart();
    expect([await kit.ctx.storage.get('a'), await kit.ctx.secrets.get('TOKEN')]).toEqual([{ b: 1 }, 't']);
    expect(await kit.ctx.capabilities.get<{ add(a: number, b: number): Promise<number> }>('sum').add(1, 2)).toBe(3);
    const said = async (options = {}): Promise<unknown> => {
      const [block] = (await kit.execute('ask', {}, options)).content;
      return block?.type === 'text' ? JSON.parse(block.text) : undefined;
    };
    expect(await said()).toMatchObject({ submitted: false, reason: 'cancelled' });
    expect(await said({ background: true })).toMatchObject({ submitted: false, reason: 'background' });
    expect(await said({ onForm: () => ({ submitted: true, values: { x: 1 } }) })).toEqual({ submitted: true, values: { x: 1 } });
  });

  it('shows toasts and dialogs to whoever the test says is there, held to the same shapes; nobody is unless said', async () => {
    await using alone = await start({}, () => {});
    const { ui } = alone.ctx;
    expect([await ui.showToast({ title: 'T' }), await ui.showConfirmDialog({ title: 'T' }), await ui.showModalDialog({ title: 'T' })]).toEqual([
      { action: 'dismissed' },
      { confirmed: false },
      { action: 'dismissed' },
    ]);
    const shown: string[] = [];
    const people = (kind: string, { title }: JsonObject): JsonObject => {
      shown.push(`${kind} ${title}`);
      return kind === 'confirm' ? { confirmed: true } : { action: 'save', values: { text: 'x' } };
    };
    await using kit = await start({ ui: people }, () => {});
    expect(await kit.ctx.ui.showConfirmDialog({ title: 'Sure?' })).toEqual({ confirmed: true });
    expect(await kit.ctx.ui.showModalDialog({ title: 'Note' })).toEqual({ action: 'save', values: { text: 'x' } });
    expect(await kit.ctx.ui.showConfirmDialog({ title: '' })).toEqual({ confirmed: false });
    expect(shown).toEqual(['confirm Sure?', 'modal Note']);
    await kit.settle();
    expect(kit.logs.join()).toContain('/title');
  });

  it('ends a tool that takes too long', async () => {
    let aborted = false;
    await using kit = await start({}, (ctx) => {
      ctx.tools.register({
        name: 'slow',
        title: 'Slow',
        description: 'Slow',
        inputSchema: {},
        timeoutMs: 1,
        execute: (_, { signal }) => new Promise(() => signal?.addEventListener('abort', () => (aborted = true))),
      });
    });
    const running = kit.execute('slow');
    await kit.clock.advance(14_999);
    expect(aborted).toBe(false);
    await kit.clock.advance(1);
    expect(await running).toMatchObject({ isError: true });
    expect(aborted).toBe(true);
  });

  it('hands in what comes from outside and by time', async () => {
    await using kit = await start({}, (ctx) => {
      ctx.http.onWebhook('chat', async (delivery) => {
        const { from, text } = delivery.json() as { readonly from: string; readonly text: string };
        await ctx.sessions.create({ ...inbox, externalKey: from, initialMessage: message(delivery.idempotencyKey, text) });
      });
      ctx.timers.onSchedule('daily', ({ fireId }) => ctx.sessions.create({ ...inbox, initialMessage: message(fireId, 'report') }));
    });
    const body = JSON.stringify({ from: 'alice', text: 'hello' });
    for (let times = 0; times < 2; times += 1) await kit.deliverWebhook('chat', { body, idempotencyKey: 'Ev1' });
    for (let times = 0; times < 2; times += 1) await kit.fire('daily');
    await kit.settle();
    expect(kit.events.flatMap((event) => (event.type === 'turn.completed' ? [event.outputText] : []))).toEqual(['You said: hello', 'You said: report']);
    await expect(kit.deliverWebhook('chat', { body: 'no json', idempotencyKey: 'Ev2' })).rejects.toThrow();
    await expect(kit.deliverWebhook('other', { body, idempotencyKey: 'Ev3' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says in the log that a schedule which the manifest does not name never comes', async () => {
    await using kit = await start({}, (ctx) => {
      for (const id of ['daily', 'hourly']) ctx.timers.onSchedule(id, () => {});
    });
    await kit.settle();
    expect(kit.logs.filter((line) => line.startsWith('error'))).toEqual([expect.stringMatching(/schedule "hourly" was refused.*contributes\.schedules/)]);
  });

  it('gives attachments as bytes', async () => {
    await using kit = await start({ agent: ({ attachments }) => attachments.map(({ name, bytes }) => `${name}: ${Buffer.from(bytes).toString()}`).join() });
    const { sessions } = kit.ctx;
    const attachments = [{ name: 'a.txt', mimeType: 'text/plain', data: Buffer.from('inside').toString('base64') }];
    const { sessionId, turnId } = await sessions.create({ ...inbox, initialMessage: { text: '', attachments, idempotencyKey: 'k' } });
    expect(await sessions.waitForTurn(sessionId, turnId)).toMatchObject({ outputText: 'a.txt: inside' });
  });

  it('reads a folder, and says what is wrong with one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'minitool-'));
    try {
      await mkdir(join(folder, 'dist'));
      await writeFile(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'in-a-folder', type: 'module', version: '2.0.0', finch: { manifestVersion: 1, name: 'F' } }),
      );
      await writeFile(join(folder, 'dist/index.js'), "export function activate(ctx) { ctx.logger.info('here', ctx.minitool.version); }");
      {
        await using kit = await startKit({ folder });
        await kit.settle();
        expect([kit.manifest.id, kit.logs]).toEqual(['in-a-folder', ['info here 2.0.0']]);
      }
      await expect(startKit({ folder: join(folder, 'dist') })).rejects.toThrow(/finch\.json/);
      await expect(startKit({ manifest, module: { default: () => {} } })).rejects.toMatchObject({ code: 'activation_failed' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

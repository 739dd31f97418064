/** Tools of mini-tools in agents' turns: which are offered, on whose terms they run, and how more are found (cases 27 and 31). */
import type { ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { childSessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerActions } from '../../app/answer-actions.ts';
import type { Caller } from '../../app/caller.ts';
import { sessionCapabilities } from '../../app/capabilities.ts';
import { listCheckpoints, restoreContext } from '../../app/checkpoints.ts';
import { createSession } from '../../app/create-session.ts';
import { forkSession } from '../../app/fork-session.ts';
import { ToolLost } from '../../ports/minitool-tools.ts';
import { checkSession } from '../harness/check-session.ts';
import { type AgentSketch, ann, builtin, type Client, createClient, fresh } from '../harness/client.ts';
import { FakeMinitools, said } from '../harness/fake-minitools.ts';
import { createGate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
let minitools: FakeMinitools;
const open = async (more: Parameters<typeof openWorld>[0] = {}): Promise<void> => {
  minitools = new FakeMinitools();
  world = await openWorld({ ...more, minitoolTools: minitools });
  client = createClient(world);
};
beforeEach(() => open());
afterEach(() => world.close());

const minitool = (id: string, more: Partial<Extract<ToolDefinition, { type: 'minitool' }>> = {}): ToolDefinition => ({ type: 'minitool', id, ...more });
const asBot: Caller = { type: 'minitool', id: 'bot', name: 'Bot', credentialId: null };
const offered = (): readonly string[] => world.model.calls.at(-1)?.request.tools.map(({ name }) => name) ?? [];
const told = (): string => JSON.stringify(world.model.calls.at(-1)?.request.messages);
const sound = async (...sessions: readonly string[]) => {
  for (const session of sessions) expect((await checkSession(world.store, session, { app: world.engine.app, caller: ann })).faults).toEqual([]);
  expect(world.model.faults()).toEqual([]);
};
const sessionWith = async (tools: readonly ToolDefinition[], more: AgentSketch = {}) => client.session(await client.agent({ ...more, tools }));
/** A turn in which the model makes these calls, one a step. */
const turnOf = async (session: string, ...calls: readonly { readonly call: string; readonly input?: Record<string, unknown> }[]) => {
  const text = fresh('do');
  world.model.when(text, ...calls.map((call) => [call]), [{ text: 'done' }]);
  return client.submit(session, text);
};
const run = async (session: string, ...calls: Parameters<typeof turnOf> extends [string, ...infer Rest] ? Rest : never) =>
  client.until(session, await turnOf(session, ...calls));

describe('what is offered', () => {
  test('is what the definition names, and `never` is not', async () => {
    for (const name of ['read', 'write', 'drop']) minitools.register('bot', name);
    minitools.register('other', 'read');
    const session = await sessionWith([minitool('bot', { tools: ['drop'], permission: 'never' }), minitool('bot')]);
    await run(session);
    expect(offered()).toEqual(['bot_read', 'bot_write']);
    await run(await sessionWith([minitool('bot', { tools: ['write', 'none'] })]));
    expect(offered()).toEqual(['bot_write']);
    await run(session, { call: 'bot_drop' });
    expect(told()).toContain('There is no tool');
    expect(minitools.runs).toEqual([]);
    await sound(session);
  });

  test('a mini-tool that is not there is no fault: it is seen among the capabilities', async () => {
    const session = await sessionWith([minitool('bot')]);
    expect(await run(session, { call: 'bot_read' })).toMatchObject({ status: 'completed' });
    const capabilities = async () => (await sessionCapabilities(world.engine.app, ann, session)).minitools;
    expect(await capabilities()).toEqual([{ id: 'bot', available: false, tools: [] }]);
    minitools.register('bot', 'read');
    expect(await capabilities()).toEqual([{ id: 'bot', available: true, tools: ['bot_read'] }]);
    expect(await sessionCapabilities(world.engine.app, ann, await sessionWith([]))).not.toHaveProperty('minitools');
  });

  test('TO7 TO8 comes with what its mini-tool says to models, behind the agent’s own words, bounded, and the same at each step', async () => {
    minitools.prompts.set('bot', ' Read before you write. ');
    minitools.prompts.set('long', '界'.repeat(20_000));
    minitools.prompts.set('absent', 'Never said.');
    for (const name of ['bot', 'long', 'other']) minitools.register(name, 'read');
    const systems = (): readonly string[] => world.model.calls.map(({ request }) => request.system);
    const named = [minitool('bot'), minitool('absent'), minitool('other')];
    const session = await sessionWith(named);
    await run(session, { call: 'bot_read' });
    expect(systems()).toEqual(['test\n\nRead before you write.', 'test\n\nRead before you write.']);
    await run(await sessionWith([minitool('bot', { permission: 'never' })]));
    expect(systems().at(-1)).toBe('test');
    await run(await sessionWith([minitool('long'), minitool('bot')]));
    expect(systems().at(-1)).toBe(`test\n\n${'界'.repeat(4_000)}\n\nRead before you write.`);
    // With its tools it goes.
    minitools.takeBack('bot_read');
    await run(session);
    expect(systems().at(-1)).toBe('test');
    await sound(session);
  });

  test('TO9 waits for a mini-tool that is about to run, and not for ever', async () => {
    minitools.starting.add('bot');
    const session = await sessionWith([minitool('bot')]);
    const turn = await turnOf(session, { call: 'bot_read' });
    await world.clock.advance(2_000);
    expect(world.model.calls).toHaveLength(0);
    minitools.register('bot', 'read');
    minitools.starting.clear();
    await client.until(session, turn);
    expect(minitools.count('bot_read')).toBe(1);
    minitools.starting.add('bot');
    expect(await client.until(session, await turnOf(session))).toMatchObject({ status: 'completed' });
  });

  test('is never what a name of the agent’s own stands for', async () => {
    minitools.register('bot', 'read', { risk: 'high' });
    await run(
      await sessionWith([{ type: 'function', name: 'bot_read', description: 'own', inputSchema: { type: 'object' }, permission: 'never' }, minitool('bot')]),
    );
    expect(offered()).toEqual([]);
  });

  test('changes at the next step of a session that is held', async () => {
    minitools.register('bot', 'grow', {
      run: async () => {
        minitools.register('bot', 'more');
        minitools.register('bot', 'late', { exposure: 'dynamic' });
        minitools.takeBack('bot_old');
        return said('grown');
      },
    });
    minitools.register('bot', 'old');
    minitools.register('bot', 'hidden', { exposure: 'dynamic' });
    const session = await sessionWith([minitool('bot')]);
    await run(session, { call: 'bot_grow' }, { call: 'bot_more' }, { call: 'bot_late' }, { call: 'bot_old' });
    expect(world.model.calls[0]?.request.tools.map(({ name }) => name)).toEqual(['search_tools', 'bot_grow', 'bot_old']);
    expect(offered()).toEqual(['search_tools', 'bot_grow', 'bot_more', 'bot_late']);
    expect(minitools.runs.map(({ name }) => name)).toEqual(['bot_grow', 'bot_more', 'bot_late']);
    await sound(session);
  });

  test('TO2 of a mini-tool’s own session: what it enables by default, and nothing of that in children', async () => {
    minitools.register('bot', 'on', { defaultEnabled: true });
    minitools.register('bot', 'off');
    minitools.register('other', 'on', { defaultEnabled: true });
    const helper = await client.agent();
    const agent = await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] });
    const { id } = (await createSession(world.engine.app, asBot, { target: { type: 'agent', id: agent } }, fresh('create'))).answer;
    const owned = createClient(world, asBot);
    world.model.when('plan', [{ call: 'delegate', input: { name: 'helper', message: 'look' } }], [{ text: 'planned' }]);
    world.model.when('look', [{ text: 'looked' }]);
    await owned.until(id, await owned.submit(id, 'plan'));
    const shown = world.model.calls.map(({ request }) => request.tools.map(({ name }) => name));
    expect(shown).toEqual([['delegate', 'bot_on'], [], ['delegate', 'bot_on']]);
  });
});

describe('case 27: a gated tool of a mini-tool is asked for by every route', () => {
  const gated = () => minitools.register('bot', 'send', { risk: 'medium' });
  const ask = { mode: 'ask' } as const;
  const expectAsked = async (session: string, turn: string) => {
    await client.until(session, turn, 'requires_action');
    expect(minitools.count('bot_send')).toBe(0);
    expect(await client.actions(session)).toMatchObject([{ kind: 'confirmation', tool_call: { name: 'bot_send' } }]);
  };

  test('by its risk, its destructiveness, and the definition, which comes first', async () => {
    minitools.register('bot', 'low');
    minitools.register('bot', 'medium', { risk: 'medium' });
    minitools.register('bot', 'high', { risk: 'high' });
    minitools.register('bot', 'wipe', { risk: 'high', destructive: true, title: 'Wipe', minitoolName: 'The bot' });
    const asks = async (name: string, mode: 'ask' | 'acceptCalls', terms: Parameters<typeof minitool>[1] = {}) => {
      const before = minitools.count(`bot_${name}`);
      const session = await sessionWith([minitool('bot', terms)], { mode });
      const turn = await turnOf(session, { call: `bot_${name}` });
      await eventually('it is asked or done', async () => ['requires_action', 'completed'].includes((await client.turn(session, turn)).status), {
        clock: world.clock,
      });
      const [action] = (await client.actions(session)) as unknown as readonly Record<string, unknown>[];
      expect(minitools.count(`bot_${name}`) - before).toBe(action ? 0 : 1);
      return action && { remember: action['can_remember'], note: action['tool_note'] };
    };
    const note = (title: string, more: object = {}) => ({ title, minitool: 'bot', ...more });
    for (const mode of ['ask', 'acceptCalls'] as const) expect(await asks('low', mode)).toBeUndefined();
    expect(await asks('medium', 'ask')).toEqual({ remember: true, note: note('medium') });
    expect(await asks('medium', 'acceptCalls')).toBeUndefined();
    expect(await asks('high', 'ask')).toEqual({ remember: false, note: note('high', { dangerous: true }) });
    expect(await asks('high', 'acceptCalls')).toBeUndefined();
    const wipe = { remember: false, note: note('Wipe', { minitool_name: 'The bot', dangerous: true, destructive: true }) };
    for (const mode of ['ask', 'acceptCalls'] as const) expect(await asks('wipe', mode)).toEqual(wipe);
    expect(await asks('low', 'acceptCalls', { permission: 'always_ask' })).toMatchObject({ remember: false });
    expect(await asks('low', 'acceptCalls', { destructive: true })).toMatchObject({ note: { destructive: true } });
    expect(await asks('low', 'ask', { readOnly: false })).toBeDefined();
    expect(await asks('wipe', 'ask', { permission: 'always_allow' })).toBeUndefined();
    expect(await asks('wipe', 'acceptCalls', { destructive: false })).toBeUndefined();
    expect(await asks('medium', 'ask', { readOnly: true })).toBeUndefined();
  });

  test('named in the definition, over a restart, and by whom it names', async () => {
    gated();
    const session = await sessionWith([minitool('bot', { approver: 'owner' })], ask);
    const turn = await turnOf(session, { call: 'bot_send', input: { n: 1 } });
    await expectAsked(session, turn);
    await world.restart();
    await expectAsked(session, turn);
    const [action] = await client.actions(session);
    await client.answer(session, turn, action?.request_id ?? '', { allow: false });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(minitools.runs).toEqual([]);
    await sound(session);
  });

  test('found by discovery, and told of by a provider', async () => {
    minitools.register('bot', 'send', { risk: 'medium', exposure: 'dynamic' });
    minitools.provide('bot', () => [{ toolName: 'bot_send' }]);
    const session = await sessionWith([minitool('bot')], ask);
    await expectAsked(session, await turnOf(session, { call: 'search_tools', input: { query: 'send' } }, { call: 'bot_send' }));
  });

  test('in a child session', async () => {
    gated();
    const helper = await client.agent({ tools: [minitool('bot')], ...ask });
    const session = await sessionWith([], { subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] });
    world.model.when('send it', [{ call: 'bot_send' }], [{ text: 'sent' }]);
    const turn = await turnOf(session, { call: 'delegate', input: { name: 'helper', message: 'send it' } });
    await client.until(session, turn, 'requires_action');
    expect(minitools.runs).toEqual([]);
    const child = childSessionId(turn as TurnId, 1);
    const [action] = await client.actions(session);
    expect(action).toMatchObject({ kind: 'confirmation', child_session_id: child });
    await client.answer(session, turn, action?.request_id ?? '', { allow: true });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(minitools.runs).toMatchObject([{ name: 'bot_send', sessionId: child }]);
    await sound(session, child);
  });

  test('in a fork, and after the context was restored', async () => {
    gated();
    const session = await sessionWith([minitool('bot')], ask);
    await run(session);
    const app = world.engine.app;
    const fork = (await forkSession(app, ann, session, { reason: 'a trial' }, fresh('fork'))).answer.id;
    await expectAsked(fork, await turnOf(fork, { call: 'bot_send' }));
    await run(session);
    const [, first] = (await listCheckpoints(app, ann, session, { limit: 9 })).data;
    await restoreContext(app, ann, session, { checkpoint_id: first?.checkpoint_id ?? '', reason: 'again' }, fresh('restore'));
    await expectAsked(session, await turnOf(session, { call: 'bot_send' }));
    expect(minitools.runs).toEqual([]);
  });

  test('registered anew while it is asked for: what was asked is run as it is now, or not at all', async () => {
    gated();
    const session = await sessionWith([minitool('bot')], ask);
    const turn = await turnOf(session, { call: 'bot_send' });
    await expectAsked(session, turn);
    minitools.takeBack('bot_send');
    const [action] = await client.actions(session);
    await client.answer(session, turn, action?.request_id ?? '', { allow: true });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(told()).toContain('no longer there');
  });
});

describe('search_tools', () => {
  const hidden = (name: string, description = `Does ${name}.`) => minitools.register('bot', name, { exposure: 'dynamic', description });
  const search = (query: string) => ({ call: 'search_tools', input: { query } });

  test('is there only where something can be found, and not where the definition says never', async () => {
    minitools.register('bot', 'read');
    const session = await sessionWith([minitool('bot')]);
    await run(session);
    expect(offered()).toEqual(['bot_read']);
    hidden('file');
    await run(session);
    expect(offered()).toEqual(['search_tools', 'bot_read']);
    await run(await sessionWith([minitool('bot'), builtin('search_tools', { permission: 'never' })]));
    expect(offered()).toEqual(['bot_read']);
    await run(await sessionWith([minitool('other'), builtin('search_tools')]));
    expect(offered()).toEqual([]);
    minitools.provide('other', () => []);
    await run(await sessionWith([minitool('other')]));
    expect(offered()).toEqual(['search_tools']);
  });

  test('TO3 TO5 what it finds is offered from the next step on, over turns and restarts; before, it is not run', async () => {
    hidden('mail', 'Sends a letter to somebody.');
    hidden('fly');
    const session = await sessionWith([minitool('bot')]);
    await run(session, { call: 'bot_mail' }, search('write a letter'), { call: 'bot_mail' }, { call: 'bot_fly' });
    expect(minitools.runs.map(({ name }) => name)).toEqual(['bot_mail']);
    expect(told()).toContain('- bot_mail: Sends a letter to somebody.');
    expect(offered()).toEqual(['search_tools', 'bot_mail']);
    await world.restart();
    await run(session);
    expect(offered()).toEqual(['search_tools', 'bot_mail']);
    await sound(session);
  });

  test('TO5 finds nothing that the session may not use, whatever a provider says', async () => {
    hidden('mail');
    hidden('wipe');
    minitools.register('other', 'mail', { exposure: 'dynamic' });
    minitools.provide('bot', () => ['bot_wipe', 'other_mail', 'nothing', 'bot_mail'].map((toolName) => ({ toolName })));
    minitools.provide('other', () => [{ toolName: 'other_mail' }]);
    const session = await sessionWith([minitool('bot', { tools: ['mail'] })]);
    await run(session, search('anything'));
    expect(offered()).toEqual(['search_tools', 'bot_mail']);
    await run(await sessionWith([minitool('bot', { tools: ['mail'] })]), search('???'), search('nothing of this kind'));
    expect(told()).not.toContain('wipe');
  });

  test('a call of what was found that waits for a person is run after a restart', async () => {
    minitools.register('bot', 'mail', { exposure: 'dynamic', risk: 'medium' });
    const session = await sessionWith([minitool('bot')], { mode: 'ask' });
    const turn = await turnOf(session, search('mail'), { call: 'bot_mail' });
    await client.until(session, turn, 'requires_action');
    await world.restart();
    const [action] = await client.actions(session);
    await client.answer(session, turn, action?.request_id ?? '', { allow: true });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(minitools.count('bot_mail')).toBe(1);
  });
});

describe('a run', () => {
  test('is given arguments that fit, and edited ones are held to the schema, too', async () => {
    minitools.register('bot', 'send', { risk: 'medium' });
    const session = await sessionWith([minitool('bot')], { mode: 'ask' });
    const turn = await turnOf(session, { call: 'bot_send', input: { n: 'one' } }, { call: 'bot_send', input: { n: 1 } });
    await client.until(session, turn, 'requires_action');
    expect(told()).toContain('do not fit');
    const [action] = await client.actions(session);
    const answer = (input: object) => client.answer(session, turn, action?.request_id ?? '', { allow: true, input });
    await expect(answer({ n: 'two' })).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{ pointer: '/payload/input/n' }] } });
    await answer({ n: 2 });
    await client.until(session, turn);
    expect(minitools.runs).toMatchObject([{ input: { n: 2 } }]);
  });

  test('has the time that it asks for, within 15 to 600 s, or the time that the definition gives it', async () => {
    const stopped = async (timeoutMs: number, more: Parameters<typeof minitool>[1] = {}) => {
      minitools.register('bot', 'wait', {
        timeoutMs,
        run: (_input, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      });
      const from = world.clock.now();
      await run(await sessionWith([minitool('bot', more)]), { call: 'bot_wait' });
      return Math.round((world.clock.now() - from) / 1_000);
    };
    expect(await stopped(1)).toBe(15);
    expect(await stopped(20_000)).toBe(20);
    expect(await stopped(9_000_000)).toBe(600);
    expect(await stopped(60_000, { timeoutMs: 3_000 })).toBe(3);
  });

  test('TO4 shows its progress as data, bounded, the newest one in any case', async () => {
    const gate = createGate();
    minitools.register('bot', 'work', {
      showsProgress: true,
      title: 'Works',
      run: async (_input, { progress }) => {
        for (let n = 1; n <= 1_000; n += 1) progress([{ type: 'data', data: { type: 'progress', message: 'at it', percent: n / 10 } }]);
        await gate.wait();
        return said('worked');
      },
    });
    const session = await sessionWith([minitool('bot')]);
    const turn = await turnOf(session, { call: 'bot_work' });
    const deltas = async () => (await checkSession(world.store, session)).log.flatMap(({ event }) => (event.type === 'tool.delta' ? event.data.output : []));
    await eventually('the last report', async () => (await deltas()).some((block) => JSON.stringify(block).includes('"percent":100}')), {
      clock: world.clock,
      mostMs: 600,
    });
    expect(await deltas()).toMatchObject([{ type: 'data', data: { type: 'progress', message: 'Works' } }, { data: { percent: 100 } }]);
    gate.open();
    await client.until(session, turn);
    await sound(session);
  });

  test('MT4 holds no slot: what waits for sessions does not keep them from running', async () => {
    await world.close();
    await open({ slots: 1 });
    const other = await client.session(await client.agent());
    minitools.register('bot', 'plan', {
      run: async () => {
        await client.until(other, await client.submit(other, 'work'));
        return said('planned');
      },
    });
    world.model.when('work', [{ text: 'worked' }]);
    expect(await run(await sessionWith([minitool('bot')]), { call: 'bot_plan' })).toMatchObject({ status: 'completed' });
  });
});

describe('a mini-tool whose process ends', () => {
  const dies = async () => {
    throw new ToolLost('its process ended');
  };
  const reconcile = (session: string, turn: string, request_id: string) =>
    answerActions(
      world.engine.app,
      ann,
      session,
      turn,
      { request_id, payload: { outcome: 'succeeded', reason: 'looked it up', output: 'sent' } } as never,
      fresh('answer'),
    );

  test('leaves an unknown result, which a person tells: the tool is not run again (RN5)', async () => {
    minitools.register('bot', 'send', { risk: 'medium', run: dies });
    const session = await sessionWith([minitool('bot')]);
    const turn = await turnOf(session, { call: 'bot_send', input: { n: 1 } });
    expect(await client.until(session, turn, 'interrupted')).toMatchObject({ status: 'interrupted' });
    await world.clock.advance(600_000);
    await world.restart();
    await world.clock.advance(600_000);
    const [action] = await client.actions(session);
    expect(action).toMatchObject({ kind: 'reconciliation', tool_call: { name: 'bot_send', input: { n: 1 } } });
    await reconcile(session, turn, action?.request_id ?? '');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(minitools.count('bot_send')).toBe(1);
    await sound(session);
  });

  test('N24 lets the other calls of the step end first, and asks for all that were lost', async () => {
    const gate = createGate();
    minitools.register('bot', 'send', { risk: 'medium', run: dies });
    minitools.register('bot', 'slow', {
      risk: 'medium',
      run: async () => {
        await gate.wait();
        return said('slow and sure');
      },
    });
    const session = await sessionWith([minitool('bot')]);
    world.model.when(
      'all',
      [
        { call: 'bot_send', id: 'a' },
        { call: 'bot_slow', id: 'b' },
        { call: 'bot_send', id: 'c' },
      ],
      [{ text: 'done' }],
    );
    const turn = await client.submit(session, 'all');
    await eventually('all run', () => minitools.runs.length === 3);
    await world.clock.advance(30_000);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'running' });
    gate.open();
    await client.until(session, turn, 'interrupted');
    for (const action of await client.actions(session)) await reconcile(session, turn, action.request_id);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(told()).toContain('slow and sure');
    expect(minitools.runs).toHaveLength(3);
    await sound(session);
  });

  test('is waited for where the call may be repeated, but not for ever', async () => {
    let times = 0;
    minitools.register('bot', 'look', { run: async () => (++times < 3 ? dies() : said('looked')) });
    minitools.register('bot', 'cursed', { run: dies });
    const session = await sessionWith([minitool('bot')]);
    expect(await run(session, { call: 'bot_look' }, { call: 'bot_cursed' })).toMatchObject({ status: 'completed' });
    expect([minitools.count('bot_look'), minitools.count('bot_cursed')]).toEqual([3, 3]);
    expect(told()).toContain('Its process ended 3 times');
    await sound(session);
  });

  test('ends with the turn where that is cancelled meanwhile: its outcome stays unknown', async () => {
    minitools.register('bot', 'send', {
      risk: 'medium',
      run: (_input, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ToolLost('gone')))),
    });
    const session = await sessionWith([minitool('bot')]);
    const turn = await turnOf(session, { call: 'bot_send' });
    await eventually('it runs', () => minitools.runs.length === 1);
    await client.cancel(session, turn);
    expect(await client.until(session, turn, 'cancelled')).toMatchObject({ status: 'cancelled' });
    const { log } = await checkSession(world.store, session);
    expect(log.flatMap(({ event }) => (event.type === 'tool.completed' ? [event.data.status] : []))).toEqual(['unknown']);
  });
});

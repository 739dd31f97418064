/** The table of who may do what: every kind of caller, with every kind of owner, for every use. */
import type { ActionKind } from '@turnkeeper/core/session/events';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, test } from 'vitest';
import { userCaller } from '../testing/harness/client.ts';
import { accessRefusal, mayAnswer, type Subject, type Use } from './access.ts';
import type { ApplicationCaller, Caller, ClientCaller } from './caller.ts';

const target = { type: 'agent', id: 'agent_1', space: 'default' } as const;
const scoped = ['read', 'invoke', 'interact', 'cancel', 'manage'] as const;
const uses: readonly Use[] = [...scoped, 'inspect'];

const member = (id: string, ...roles: ('viewer' | 'operator' | 'approver')[]) => userCaller(id, { applications: new Map([['shop', roles]]) });
const key = (changes: Partial<ApplicationCaller> = {}): ApplicationCaller => ({
  type: 'application',
  id: 'shop',
  name: 'Shop',
  credentialId: 'key_1',
  scopes: new Set(['invoke', 'read', 'interact', 'cancel', 'webhooks:write']),
  targets: [target],
  ...changes,
});

const callers = {
  owner: userCaller('ann'),
  stranger: userCaller('bob'),
  'member of the space': userCaller('carl', { spaces: new Map([['team', 'member']]) }),
  'manager of the space': userCaller('dora', { spaces: new Map([['team', 'manager']]) }),
  'member of another space': userCaller('eve', { spaces: new Map([['other', 'manager']]) }),
  admin: userCaller('root', { admin: true }),
  viewer: member('vic', 'viewer'),
  operator: member('olga', 'operator'),
  approver: member('amy', 'approver'),
  'viewer and approver': member('kim', 'viewer', 'approver'),
  'member of another application': userCaller('max', { applications: new Map([['other', ['operator']]]) }),
  key: key(),
  'key of another application': key({ id: 'other' }),
  // As a session of the user `shop` would be owned by `user:shop`, not by `app:shop`.
  'user named as the application': userCaller('shop'),
} satisfies Record<string, Caller>;
type Who = keyof typeof callers;

const subjects = {
  'a user’s, in default': { owner: 'user:ann', placement: 'space:default', target },
  'a user’s, in the space': { owner: 'user:ann', placement: 'space:team', target },
  'an application’s': { owner: 'app:shop', placement: 'space:default', target },
  'a mini-tool’s, in a container of the space’s name': { owner: 'minitool:m', placement: 'container:team', target },
} satisfies Record<string, Subject>;
type What = keyof typeof subjects;

/** Who is not named here gets not_found for everything. */
const allowed: Readonly<Record<What, Partial<Record<Who, readonly Use[]>>>> = {
  'a user’s, in default': { owner: uses, admin: ['read', 'inspect'] },
  'a user’s, in the space': { owner: uses, 'member of the space': ['read'], 'manager of the space': ['read'], admin: ['read', 'inspect'] },
  'an application’s': {
    viewer: ['read'],
    operator: uses,
    approver: ['read'],
    'viewer and approver': ['read'],
    admin: ['read', 'inspect'],
    // AC7: what a model was shown is for people.
    key: scoped,
  },
  'a mini-tool’s, in a container of the space’s name': { admin: ['read', 'inspect'] },
};

describe('AC1, AC2: a session', () => {
  for (const [what, subject] of Object.entries(subjects) as [What, Subject][]) {
    test.each(Object.keys(callers) as Who[])(`that is ${what}, asked for by: %s`, (who) => {
      const may = allowed[what][who];
      for (const use of uses) {
        const code = accessRefusal(callers[who], subject, use)?.code;
        expect([use, code]).toEqual([use, may === undefined ? 'not_found' : may.includes(use) ? undefined : 'forbidden']);
      }
    });
  }

  test('that is not there for a caller is so in the same words, whosever it is', () => {
    const words = [callers.stranger, callers['key of another application']].flatMap((caller) =>
      Object.values(subjects).flatMap((subject) => uses.map((use) => accessRefusal(caller, subject, use))),
    );
    expect(new Set(words.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  });
});

describe('AC3: a key', () => {
  const subject = subjects['an application’s'];
  const scopes = { read: 'read', invoke: 'invoke', interact: 'interact', cancel: 'cancel', manage: 'invoke', webhooks: 'webhooks:write' } as const;

  test('does nothing without the scope for it', () => {
    for (const use of scoped) {
      for (const scope of ['invoke', 'read', 'interact', 'cancel', 'webhooks:write']) {
        const code = accessRefusal(key({ scopes: new Set([scope]) }), subject, use)?.code;
        expect([use, scope, code]).toEqual([use, scope, scopes[use] === scope ? undefined : 'scope_missing']);
      }
    }
  });

  test('does nothing without a grant for the target: of its type, by its id or for all', () => {
    const code = (...targets: ApplicationCaller['targets']) => accessRefusal(key({ targets }), subject, 'read')?.code;
    expect(code()).toBe('target_not_granted');
    expect(code({ type: 'agent', id: 'agent_2' }, { type: 'team', id: 'agent_1' }, { type: 'workflow', id: '*' })).toBe('target_not_granted');
    expect(code({ type: 'agent', id: 'agent_2' }, { type: 'agent', id: 'agent_1' })).toBeUndefined();
    expect(code({ type: 'agent', id: '*' })).toBeUndefined();
  });

  test('reaches by a grant for all what stands in the space "default", and nothing of another space, or that stood nowhere', () => {
    const code = (space: string | undefined, id: string) =>
      accessRefusal(key({ targets: [{ type: 'agent', id }] }), { ...subject, target: { ...target, space } }, 'read')?.code;
    expect(code('lab', '*')).toBe('target_not_granted');
    expect(code(undefined, '*')).toBe('target_not_granted');
    expect(code('lab', 'agent_1')).toBeUndefined();
  });
});

describe('an action', () => {
  const byKey: readonly ActionKind[] = ['external_execution', 'question', 'form', 'signal'];
  const byPerson: readonly ActionKind[] = ['confirmation', 'approval'];
  const kinds: readonly ActionKind[] = [...byKey, ...byPerson, 'reconciliation'];

  const answerers = (owner: string, kind: ActionKind, approver: string | readonly string[], role_of?: string): readonly string[] =>
    (Object.keys(callers) as Who[]).filter((who) => mayAnswer(callers[who], owner, { kind, approver, role_of }));

  test('of a user’s session is answered by its owner, whether the tool asks the owner or an application that there is none of', () => {
    for (const approver of ['owner', 'application']) {
      for (const kind of kinds) {
        const more = kind === 'reconciliation' ? ['admin'] : [];
        expect([kind, answerers('user:ann', kind, approver)]).toEqual([kind, ['owner', ...more]]);
      }
    }
  });

  test('of an application’s session is answered by its keys and operators, but confirmed and approved by approvers', () => {
    for (const kind of byKey) expect([kind, answerers('app:shop', kind, 'owner')]).toEqual([kind, ['operator', 'key']]);
    for (const kind of byPerson) expect([kind, answerers('app:shop', kind, 'owner')]).toEqual([kind, ['approver', 'viewer and approver']]);
    expect(answerers('app:shop', 'reconciliation', 'owner')).toEqual(['admin', 'operator']);
  });

  test('is confirmed by a key only where the tool asks the application, and never reconciled by one', () => {
    for (const kind of byPerson) expect([kind, answerers('app:shop', kind, 'application')]).toEqual([kind, ['approver', 'viewer and approver', 'key']]);
    expect(answerers('app:shop', 'reconciliation', 'application')).toEqual(['admin', 'operator']);
  });

  test('is answered by no key without the scope, whatever it asks', () => {
    const mute = key({ scopes: new Set(['invoke', 'read', 'cancel']) });
    for (const kind of kinds) for (const approver of ['owner', 'application']) expect(mayAnswer(mute, 'app:shop', { kind, approver })).toBe(false);
  });

  test('that names users is answered by those and by nobody else, whoever may control the session', () => {
    for (const kind of kinds) {
      for (const owner of ['user:ann', 'app:shop']) expect([kind, answerers(owner, kind, ['bob', 'vic'])]).toEqual([kind, ['stranger', 'viewer']]);
      expect(answerers('app:shop', kind, ['shop'])).toEqual(['user named as the application']);
      expect(answerers('user:ann', kind, [])).toEqual([]);
    }
  });

  test.each([
    ['role:viewer', 'app:shop', ['viewer', 'viewer and approver']],
    ['role:operator', 'app:shop', ['operator']],
    ['role:approver', 'app:shop', ['approver', 'viewer and approver']],
    ['role:operator', 'app:other', ['member of another application']],
    ['role:manager', 'space:team', ['manager of the space']],
    ['role:member', 'space:team', ['member of the space', 'manager of the space']],
    ['role:member', 'space:other', ['member of another space']],
    ['role:member', 'space:default', []],
    ['role:member', 'container:team', []],
    ['role:admin', 'installation', ['admin']],
    ['role:owner', 'space:team', []],
    ['role:manager', undefined, []],
  ] as const)('AC5 that asks for %s of %s is answered by those who have it, and by no owner, admin or key besides', (approver, place, who) => {
    const owner = place?.startsWith('app:') ? 'app:shop' : 'user:ann';
    for (const kind of kinds) expect([kind, answerers(owner, kind, approver, place)]).toEqual([kind, who]);
  });
});

describe('a client’s token', () => {
  const [mine, child, other] = ['ses_1', 'ses_1_child', 'ses_2'] as [SessionId, SessionId, SessionId];
  const client = (changes: Partial<ClientCaller> = {}): ClientCaller => ({
    type: 'client',
    id: 'ctok_1',
    name: 'a client',
    credentialId: 'ctok_1',
    sessionId: mine,
    scopes: new Set(['invoke', 'read', 'interact', 'cancel']),
    issuer: key(),
    issuerHash: 'hash',
    expiresAt: 1,
    ...changes,
  });
  const subject = (session: SessionId, root = session): Subject => ({ ...subjects['an application’s'], session, root });
  const refused = (caller: Caller, of: Subject, use: Use) => accessRefusal(caller, of, use)?.code;

  test('opens its session, and what this one delegated to; another is not there', () => {
    for (const use of ['read', 'invoke', 'interact', 'cancel'] as const) {
      expect(refused(client(), subject(mine), use), use).toBeUndefined();
      expect(refused(client(), subject(child, mine), use), use).toBeUndefined();
      expect(refused(client(), subject(other), use), use).toBe('not_found');
      expect(refused(client(), subjects['an application’s'], use), use).toBe('not_found');
    }
    for (const use of ['manage', 'webhooks', 'inspect'] as const) expect(refused(client(), subject(mine), use), use).toBe('forbidden');
    // Not even where who made it may.
    expect(refused(client({ issuer: callers.operator }), subject(mine), 'inspect')).toBe('forbidden');
  });

  test('does nothing that who made it may not do now', () => {
    const narrow = client({ issuer: key({ scopes: new Set(['read']) }) });
    expect(refused(narrow, subject(mine), 'read')).toBeUndefined();
    expect(refused(narrow, subject(mine), 'invoke')).toBe('scope_missing');
    expect(refused(client({ issuer: key({ targets: [] }) }), subject(mine), 'read')).toBe('target_not_granted');
    // An operator who is none any more.
    expect(refused(client({ issuer: callers.operator }), subject(mine), 'invoke')).toBeUndefined();
    expect(refused(client({ issuer: callers.viewer }), subject(mine), 'invoke')).toBe('forbidden');
    expect(refused(client({ issuer: callers.stranger }), subject(mine), 'read')).toBe('not_found');
  });

  test('answers what an application’s key may answer, whoever made it', () => {
    const owner = client({ issuer: callers.owner });
    const may = (kind: ActionKind, approver: string | readonly string[] = 'user', by = owner) => mayAnswer(by, 'user:ann', { kind, approver });
    for (const kind of ['external_execution', 'question', 'form', 'signal'] as const) expect(may(kind), kind).toBe(true);
    for (const kind of ['confirmation', 'approval'] as const) {
      expect(may(kind), kind).toBe(false);
      expect(may(kind, 'application'), kind).toBe(true);
      expect(may(kind, ['ann']), kind).toBe(false);
      expect(may(kind, 'role:operator'), kind).toBe(false);
    }
    expect(may('reconciliation')).toBe(false);
    expect(may('question', 'user', client({ scopes: new Set(['read']) }))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import type { AuditRow, Catalog } from '../../ports/catalog.ts';
import {
  sampleAgent,
  sampleApplication,
  sampleCredential,
  sampleRevision,
  sampleSecret,
  sampleTeam,
  sampleTeamVersion,
  sampleToken,
  sampleUser,
  sampleVersion,
  sampleWorkflow,
  wholeList,
} from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique } from './samples.ts';

/** An administrative write that is about to be made. */
type Change = {
  readonly apply: (audit: AuditRow) => Promise<unknown>;
  /** What the change can be seen by. */
  readonly look: () => Promise<unknown>;
  /** The same kind of write, refused once `apply` was carried out; absent where it is never refused. */
  readonly refused?: (audit: AuditRow) => Promise<unknown>;
};
type Prepare = (catalog: Catalog) => Promise<Change>;

/** Found by a subject of its own. */
const sampleEntry = (): AuditRow => auditRow({ subject: unique('agent:'), details: { was: [null, { name: 'ü' }] } });

const madeUser = async (catalog: Catalog): Promise<string> => {
  const user = sampleUser();
  await catalog.createUser(user, auditRow());
  return user.id;
};
const madeApplication = async (catalog: Catalog): Promise<string> => {
  const application = sampleApplication();
  await catalog.createApplication(application, auditRow());
  return application.id;
};

const agentChanges: Readonly<Record<string, Prepare>> = {
  createAgent: async (catalog) => {
    const agent = sampleAgent();
    const apply = (audit: AuditRow) => catalog.createAgent(agent, sampleVersion(agent.id, 1), audit);
    return { apply, look: async () => [await catalog.agent(agent.id), await catalog.agentVersions(agent.id)], refused: apply };
  },
  addAgentVersion: async (catalog) => {
    const agent = sampleAgent();
    await catalog.createAgent(agent, sampleVersion(agent.id, 1), auditRow());
    const apply = (audit: AuditRow) => catalog.addAgentVersion(sampleVersion(agent.id, 2), audit);
    return { apply, look: async () => [await catalog.agent(agent.id), await catalog.agentVersions(agent.id)], refused: apply };
  },
};

const targetChanges: Readonly<Record<string, Prepare>> = {
  createTeam: async (catalog) => {
    const team = sampleTeam();
    return {
      apply: (audit) => catalog.createTeam(team, sampleTeamVersion(team.id, 1), audit),
      look: async () => [await catalog.team(team.id), await catalog.teamVersions(team.id)],
    };
  },
  addTeamVersion: async (catalog) => {
    const team = sampleTeam();
    await catalog.createTeam(team, sampleTeamVersion(team.id, 1), auditRow());
    const apply = (audit: AuditRow) => catalog.addTeamVersion(sampleTeamVersion(team.id, 2), team, audit);
    return { apply, look: async () => [await catalog.team(team.id), await catalog.teamVersions(team.id)], refused: apply };
  },
  createWorkflow: async (catalog) => {
    const workflow = sampleWorkflow();
    return { apply: (audit) => catalog.createWorkflow(workflow, audit), look: () => catalog.workflow(workflow.id) };
  },
  updateWorkflow: async (catalog) => {
    const workflow = sampleWorkflow();
    await catalog.createWorkflow(workflow, auditRow());
    const apply = (audit: AuditRow) => catalog.updateWorkflow(workflow.id, 1, { name: 'x' }, 9, audit);
    return { apply, look: () => catalog.workflow(workflow.id), refused: apply };
  },
  publishRevision: async (catalog) => {
    const workflow = sampleWorkflow();
    await catalog.createWorkflow(workflow, auditRow());
    const apply = (audit: AuditRow) => catalog.publishRevision(sampleRevision(workflow.id, 1), 1, audit);
    return { apply, look: async () => [await catalog.workflow(workflow.id), await catalog.revisions(workflow.id, wholeList)], refused: apply };
  },
};

const userChanges: Readonly<Record<string, Prepare>> = {
  createUser: async (catalog) => {
    const user = sampleUser();
    const apply = (audit: AuditRow) => catalog.createUser(user, audit);
    return { apply, look: () => catalog.user(user.id), refused: apply };
  },
  'updateUser (not found)': async (catalog) => {
    const id = await madeUser(catalog);
    const change = (of: string) => (audit: AuditRow) => catalog.updateUser(of, { status: 'disabled' }, audit);
    return { apply: change(id), look: () => catalog.user(id), refused: change('nobody') };
  },
  'updateUser (last admin)': async (catalog) => {
    const admin = sampleUser({ roles: ['admin'] });
    await catalog.createUser(admin, auditRow());
    return {
      apply: (audit) => catalog.updateUser(admin.id, { displayName: 'x' }, audit),
      look: () => catalog.user(admin.id),
      refused: (audit) => catalog.updateUser(admin.id, { roles: ['user'] }, audit),
    };
  },
  addToken: async (catalog) => {
    const token = sampleToken('user_1');
    return { apply: (audit) => catalog.addToken(token, audit), look: () => catalog.tokenByHash(token.hash) };
  },
  addTokenByPassword: async (catalog) => {
    const user = sampleUser({ passwordHash: 'one' });
    await catalog.createUser(user, auditRow());
    const token = sampleToken(user.id);
    return {
      apply: (audit) => catalog.addTokenByPassword(token, 'one', audit),
      look: () => catalog.tokensOf(user.id, wholeList),
      refused: (audit) => catalog.addTokenByPassword(sampleToken(user.id), 'two', audit),
    };
  },
  setPassword: async (catalog) => {
    const userId = await madeUser(catalog);
    await catalog.addToken(sampleToken(userId), auditRow());
    const apply = (audit: AuditRow) => catalog.setPassword({ userId, hash: 'one', was: null, revokeAllBut: null }, audit, auditRow());
    return { apply, look: async () => [await catalog.user(userId), await catalog.tokensOf(userId, wholeList)], refused: apply };
  },
  deleteToken: async (catalog) => {
    const token = sampleToken('user_1');
    await catalog.addToken(token, auditRow());
    const apply = (audit: AuditRow) => catalog.deleteToken(token.id, audit);
    return { apply, look: () => catalog.tokenByHash(token.hash), refused: apply };
  },
};

const spaceChanges: Readonly<Record<string, Prepare>> = {
  createSpace: async (catalog) => {
    const id = unique('space-');
    const apply = (audit: AuditRow) => catalog.createSpace({ id, name: 'A', createdAt: 1 }, { spaceId: id, userId: 'user_1', role: 'manager' }, audit);
    return { apply, look: async () => [await catalog.space(id), await catalog.spaceMembers(id, wholeList)], refused: apply };
  },
  renameSpace: async (catalog) => {
    const name = unique('name');
    const rename = (id: string) => (audit: AuditRow) => catalog.renameSpace(id, name, audit);
    return { apply: rename('default'), look: () => catalog.space('default'), refused: rename('nowhere') };
  },
  putSpaceMember: async (catalog) => {
    const userId = unique('user_');
    return { apply: (audit) => catalog.putSpaceMember({ spaceId: 'default', userId, role: 'member' }, audit), look: () => catalog.spacesOf(userId) };
  },
  deleteSpaceMember: async (catalog) => {
    const userId = unique('user_');
    await catalog.putSpaceMember({ spaceId: 'default', userId, role: 'member' }, auditRow());
    const apply = (audit: AuditRow) => catalog.deleteSpaceMember('default', userId, audit);
    return { apply, look: () => catalog.spacesOf(userId), refused: apply };
  },
};

const applicationChanges: Readonly<Record<string, Prepare>> = {
  createApplication: async (catalog) => {
    const application = sampleApplication({ members: [{ userId: 'user_1', roles: ['viewer'] }] });
    return { apply: (audit) => catalog.createApplication(application, audit), look: () => catalog.application(application.id) };
  },
  updateApplication: async (catalog) => {
    const id = await madeApplication(catalog);
    const apply = (audit: AuditRow) => catalog.updateApplication(id, 1, { name: 'B', members: [{ userId: 'user_1', roles: ['viewer'] }] }, 2, audit);
    return { apply, look: () => catalog.application(id), refused: apply };
  },
  addCredential: async (catalog) => {
    const credential = sampleCredential(await madeApplication(catalog));
    return { apply: (audit) => catalog.addCredential(credential, audit), look: () => catalog.credentialByHash(credential.hash) };
  },
  'addCredential (rotated)': async (catalog) => {
    const first = sampleCredential(await madeApplication(catalog));
    await catalog.addCredential(first, auditRow());
    const next = (rotatedFrom: string) => sampleCredential(first.applicationId, { rotatedFrom });
    return {
      apply: (audit) => catalog.addCredential(next(first.id), audit),
      look: () => catalog.credentials(first.applicationId, wholeList),
      refused: (audit) => catalog.addCredential(next('nobody'), audit),
    };
  },
  revokeCredential: async (catalog) => {
    const credential = sampleCredential(await madeApplication(catalog));
    await catalog.addCredential(credential, auditRow());
    const apply = (audit: AuditRow) => catalog.revokeCredential(credential.applicationId, credential.id, 5, audit);
    return { apply, look: () => catalog.credentialByHash(credential.hash), refused: apply };
  },
  putSecret: async (catalog) => {
    const secret = sampleSecret();
    return { apply: (audit) => catalog.putSecret(secret, audit), look: () => catalog.secret(secret.name) };
  },
  deleteSecret: async (catalog) => {
    const secret = sampleSecret();
    await catalog.putSecret(secret, auditRow());
    const apply = (audit: AuditRow) => catalog.deleteSecret(secret.name, audit);
    return { apply, look: () => catalog.secret(secret.name), refused: apply };
  },
};

/** G5, write by write. */
export const describeAuditedChanges = (open: OpenStore): void => {
  describe('audited changes', () => {
    const store = useStore(open, 'all');
    const entries = (subject: string) => store.catalog().audit({ limit: 9, subject });

    for (const [name, prepare] of Object.entries({ ...agentChanges, ...targetChanges, ...userChanges, ...spaceChanges, ...applicationChanges })) {
      it(`G5 ${name} and its entry are there together or not at all`, async () => {
        const { apply, look, refused } = await prepare(store.catalog());
        const before = await look();
        const [known, entry, none] = [sampleEntry(), sampleEntry(), sampleEntry()];
        await store.catalog().addAudit(known);

        // An entry that cannot be written, since its id is taken.
        await expect(apply({ ...entry, id: known.id })).rejects.toThrow();
        expect(await look()).toEqual(before);
        expect(await entries(entry.subject)).toEqual([]);

        await apply(entry);
        const after = await look();
        expect(after).not.toEqual(before);
        expect(await entries(entry.subject)).toEqual([entry]);

        await refused?.(none);
        expect(await look()).toEqual(after);
        expect(await entries(none.subject)).toEqual([]);
      });
    }
  });
};

/** An application with limits of its own, one of its keys, and whether its counters are what its sessions say. */
import type { SessionState } from '@turnkeeper/core/session/state';
import type { ApplicationCaller } from '../../app/caller.ts';
import type { ApplicationRow } from '../../ports/catalog.ts';
import type { Quota, SessionStore } from '../../ports/session-store.ts';
import { auditRow } from '../store-contract/samples.ts';
import { fresh } from './client.ts';
import type { World } from './world.ts';

export type AppLimits = Partial<Pick<ApplicationRow, 'maxConcurrent' | 'maxUnfinished' | 'tokenBudget'>>;
export type TestApplication = { readonly id: string; readonly owner: string; readonly key: ApplicationCaller; readonly row: ApplicationRow };

export const addApplication = async (world: World, limits: AppLimits = {}): Promise<TestApplication> => {
  const id = fresh('app');
  const row: ApplicationRow = {
    id,
    name: id,
    description: '',
    status: 'active',
    maxConcurrent: null,
    tokenBudget: null,
    maxUnfinished: null,
    ownerId: 'admin',
    members: [],
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    ...limits,
  };
  await world.engine.app.catalog.createApplication(row, auditRow());
  const key: ApplicationCaller = {
    type: 'application',
    id,
    name: id,
    credentialId: null,
    scopes: new Set(['invoke', 'read', 'interact', 'cancel']),
    targets: [{ type: 'agent', id: '*' }],
  };
  return { id, owner: `app:${id}`, key, row };
};

/** What the sessions of these numbers add up to, and what their owner's counters say, both of one moment. */
export const countersOf = async (store: SessionStore, owner: string, sids: readonly number[]): Promise<{ readonly counted: Quota; readonly is: Quota }> => {
  const [counted, loaded, logs] = await Promise.all([
    store.quota(owner),
    Promise.all(sids.map((sid) => store.loadBySid(sid))),
    Promise.all(sids.map((sid) => store.events({ sid, after: 0, limit: 1_000_000 }))),
  ]);
  const states = loaded.map((session) => JSON.parse(session?.state ?? '{}') as SessionState).filter(({ terminated }) => !terminated);
  const usage = logs.flat().filter(({ type }) => type === 'usage.recorded');
  return {
    counted,
    is: {
      unfinished: states.reduce((sum, { queue, live }) => sum + queue.length + (live ? 1 : 0), 0),
      running: states.filter(({ live }) => live?.status === 'running').length,
      tokens: usage.reduce((sum, { data }) => sum + (JSON.parse(data) as { usage: { total_tokens: number } }).usage.total_tokens, 0),
    },
  };
};

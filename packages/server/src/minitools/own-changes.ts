/** What the host itself changes of what is kept of a mini-tool: nobody asked for it, so the audit log says `system`. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { auditOf } from '../app/audit.ts';
import type { MinitoolChanges, MinitoolRow } from '../ports/minitools.ts';
import { covers } from './consent.ts';
import type { MinitoolHostOptions } from './host-options.ts';
import { readPackage } from './install/read-package.ts';
import type { Crash } from './process/keep-alive.ts';

type Options = Pick<MinitoolHostOptions, 'store' | 'clock' | 'ids'>;

const changedFiles = 'Its files have changed.';
const asksForMore = 'It asks for more than was agreed to.';

/** Only while it is the one that was looked at: somebody may have changed it, or its status, meanwhile. */
const change = async ({ store, clock, ids }: Options, row: MinitoolRow, changes: MinitoolChanges, action: string, reason: string): Promise<void> => {
  const { id, status, version, folder } = row;
  const entry = auditOf({ clock, ids }, 'system', { action, subject: `minitool:${id}`, details: { reason } });
  await store.minitools.change(id, changes, clock.now(), entry, { status, version, folder });
};

/** It crashed too often. What its process said, which may be of anybody's session, does not go into the audit log: `kind` does. */
export const markBroken = (options: Options, row: MinitoolRow, reason: string, kind: Crash['kind']): Promise<void> =>
  change(options, row, { status: 'broken', reason }, 'minitool.broken', kind);

/**
 * Reads the package of one that is used where it lies. Rejects where its manifest cannot be used; where it asks for more than was
 * agreed to it is disabled. One that is broken is enabled: its author has changed something.
 */
export const readAgain = async (options: Options, id: string): Promise<void> => {
  const { store, clock } = options;
  const row = await store.minitools.minitool(id);
  if (!row || row.status === 'disabled') return;
  const read = await readPackage(row.folder);
  if (read.id !== id) throw new TurnkeeperError('validation_failed', `The manifest has another id now (${read.id}): add it as another mini-tool.`);
  const kept = { version: read.version, manifest: read.kept };
  if (!covers(row.consent, read.manifest)) return change(options, row, { ...kept, status: 'disabled', reason: asksForMore }, 'minitool.disabled', asksForMore);
  if (row.status === 'broken') return change(options, row, { ...kept, status: 'enabled', reason: null }, 'minitool.enabled', changedFiles);
  await store.minitools.change(id, kept, clock.now());
};

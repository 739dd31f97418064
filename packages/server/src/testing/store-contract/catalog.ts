import { describe } from 'vitest';
import { describeAgents } from './catalog-agents.ts';
import { describeApplications } from './catalog-applications.ts';
import { describeAuditLog } from './catalog-audit.ts';
import { describeAuditedChanges } from './catalog-audited-changes.ts';
import { describeKeptValues } from './catalog-kept-values.ts';
import { describeLastAdmin } from './catalog-last-admin.ts';
import { describePasswords } from './catalog-passwords.ts';
import { describeSpaces } from './catalog-spaces.ts';
import { describeTargets } from './catalog-targets.ts';
import { describeUsers } from './catalog-users.ts';
import type { OpenStore } from './opened-store.ts';

/** The port of administration: G1 to G9. */
export const describeCatalog = (open: OpenStore): void => {
  describe('catalog', () => {
    describeAgents(open);
    describeTargets(open);
    describeUsers(open);
    describePasswords(open);
    describeLastAdmin(open);
    describeSpaces(open);
    describeApplications(open);
    describeKeptValues(open);
    describeAuditLog(open);
    describeAuditedChanges(open);
  });
};

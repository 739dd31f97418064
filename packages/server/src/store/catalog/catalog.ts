/**
 * The catalog of both stores, put together from its parts.
 *
 * G3 and G6 are held by the statements themselves (unique keys, a compare-and-set on the version, locked rows), never by
 * a read before.
 */
import type { Catalog } from '../../ports/catalog.ts';
import { createAgents } from './agents.ts';
import { createAnsweredActions } from './answered-actions.ts';
import { createApplications } from './applications.ts';
import { createAudit } from './audit.ts';
import { createAccess } from './catalog-access.ts';
import type { CatalogDatabase } from './catalog-database.ts';
import { createClientTokens } from './client-tokens.ts';
import { createCredentials } from './credentials.ts';
import { createMinitoolUsers } from './minitool-users.ts';
import { createSecrets } from './secrets.ts';
import { createSettings } from './settings.ts';
import { createSpaces } from './spaces.ts';
import { createAsk } from './statements.ts';
import { createTeams } from './teams.ts';
import { createTokens } from './tokens.ts';
import { createToolLists } from './tool-lists.ts';
import { createUsers } from './users.ts';
import { createWorkflows } from './workflows.ts';

/** The catalog over a store's database, which must have the tables of `schema.ts`. */
export const createCatalog = (database: CatalogDatabase): Catalog => {
  const access = createAccess(database);
  return {
    ...createAgents(access),
    ...createTeams(access),
    ...createWorkflows(access),
    ...createUsers(access),
    ...createTokens(access),
    ...createClientTokens(access),
    ...createSpaces(access),
    ...createApplications(access),
    ...createCredentials(access),
    ...createSecrets(access),
    ...createToolLists(access),
    ...createAudit(access),
    ...createAnsweredActions(createAsk(database)),
    ...createSettings(access),
    ...createMinitoolUsers(access),
  };
};

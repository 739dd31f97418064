/** Mini-tools and what they keep (MS1 to MS6), for both stores. */
import type { MinitoolStore } from '../../ports/minitools.ts';
import type { CatalogDatabase } from './catalog-database.ts';
import { createMinitoolEvents } from './minitool-events.ts';
import { createMinitoolIngress } from './minitool-ingress.ts';
import { createMinitoolInstallations } from './minitool-installations.ts';
import { createMinitoolValues } from './minitool-values.ts';
import { createAsk } from './statements.ts';

/** Over a database that has the tables of `minitool-tables.ts`. */
export const createMinitoolStore = (database: CatalogDatabase): MinitoolStore => {
  const ask = createAsk(database);
  const { dialect } = database;
  return {
    ...createMinitoolInstallations(ask, dialect),
    ...createMinitoolValues(ask, dialect),
    ...createMinitoolEvents(ask),
    ...createMinitoolIngress(ask, dialect),
  };
};

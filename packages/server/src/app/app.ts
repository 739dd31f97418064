/** What use cases work with: everything they need of the outside, behind ports. */
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Models } from '../ports/model.ts';
import type { Tools } from '../ports/tool.ts';
import type { Sessions } from './sessions.ts';

export type App = {
  readonly sessions: Sessions;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly models: Models;
  readonly tools: Tools;
};

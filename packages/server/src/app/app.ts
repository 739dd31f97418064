/** What use cases work with: everything they need of the outside, behind ports. */
import type { CheckExpression } from '@turnkeeper/core/workflow/expression-port';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { MinitoolStore } from '../ports/minitools.ts';
import type { Models } from '../ports/model.ts';
import type { ScheduleStore } from '../ports/schedules.ts';
import type { SessionArchive } from '../ports/session-archive.ts';
import type { Tools } from '../ports/tool.ts';
import type { Webhooks } from '../ports/webhooks.ts';
import type { Budgets } from './budgets.ts';
import type { RequestRebuilder } from './inspect-model-calls.ts';
import type { SessionFiles } from './session-files.ts';
import type { Sessions } from './sessions.ts';
import type { TurnsSeen } from './turns-seen.ts';

export type App = {
  readonly sessions: Sessions;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly models: Models;
  readonly tools: Tools;
  readonly files: SessionFiles;
  readonly webhooks: Webhooks;
  readonly archive: SessionArchive;
  readonly budgets: Budgets;
  readonly schedules: ScheduleStore;
  readonly minitools: MinitoolStore;
  /** For what goes on now. */
  readonly turnsSeen: TurnsSeen;
  /** What a model call was made with. */
  readonly rebuildRequest: RequestRebuilder;
  /** Looks at an expression of a workflow's draft. */
  readonly checkExpression: CheckExpression;
  /** A schedule was made or changed. */
  readonly scheduled: () => void;
};

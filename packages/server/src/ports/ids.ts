/** Port: fresh identifiers. I1 Never the same twice; later ones sort after earlier ones. */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';

export interface Ids {
  session(): SessionId;
  turn(): TurnId;
  /** `<prefix>_…`, for commands, agents, users, tokens. */
  next(prefix: string): string;
}

/**
 * What of all that happens is worth a line of the log.
 *
 * TE1 A line says which session, turn, run or request it is about by id, and what became of it by code; never what anybody
 *     wrote. What clients do wrong is nobody's alarm: requests are told at debug level only.
 */
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { SessionNews, Telemetry } from '../ports/telemetry.ts';

type Line = (details: object, message: string) => void;
export type EventLogger = { readonly info: Line; readonly debug: Line; readonly isLevelEnabled: (level: string) => boolean };

export const createEventLog = (logger: EventLogger): Partial<Telemetry> => {
  const tell = (event: LoggedEvent, { session }: SessionNews): void => {
    switch (event.type) {
      case 'turn.failed':
        logger.info({ session_id: session.row.id, turn_id: event.data.turn_id, code: event.data.error_code }, 'a turn failed');
        break;
      case 'turn.completed':
      case 'turn.partial_succeeded':
      case 'turn.cancelled':
      case 'turn.timed_out':
        logger.debug({ session_id: session.row.id, turn_id: event.data.turn_id, outcome: event.type }, 'a turn ended');
        break;
      default:
        break;
    }
  };
  return {
    committed: (news) => {
      for (const event of news.events) tell(event, news);
    },
    runsRecovered: (count) => logger.info({ count }, 'sessions were taken over from a node that is gone'),
    leaseTaken: (node) => logger.info({ node }, 'the lease is held'),
    leaseLost: (node, sessions) => logger.info({ node, sessions }, 'the lease is lost: what was held under it has been dropped'),
    requestAnswered: ({ id, method, route, status, ms }) => {
      if (logger.isLevelEnabled('debug')) logger.debug({ request_id: id, method, route, status, ms: Math.round(ms) }, 'a request was answered');
    },
  };
};

/**
 * Where it is stored whose context a session began with: as payload 0, which is no turn's. So it is written by the statement
 * that writes all else of a fork, on PostgreSQL too, where one function knows the columns of a session.
 */
export const lineagePayload = 0;

/**
 * Answers to required actions, with the sessions that they are of.
 *
 * They stand in the audit log, written with the answer itself. No index leads to them alone, so that a look goes through so many entries
 * of the log and no more (G10).
 */
import type { AnsweredQuery } from '../../ports/catalog.ts';
import { auditOf } from './audit.ts';
import type { Part } from './catalog-access.ts';
import type { SqlValue } from './catalog-database.ts';
import { text } from './columns.ts';
import { type Ask, places } from './statements.ts';
import { isThere } from './webhook-rows.ts';

const noCondition = ['', []] as const;

/** Of those sessions; as a condition and what it is given. */
const among = (visible: AnsweredQuery['visible']): readonly [string, readonly SqlValue[]] => {
  if (!visible) return noCondition;
  const { owners, placements } = visible;
  const parts = [
    ...(owners.length === 0 ? [] : [`s.owner IN (${places(owners.length)})`]),
    ...(placements.length === 0 ? [] : [`s.placement IN (${places(placements.length)})`]),
  ];
  return [parts.length === 0 ? 'AND 1 = 0' : `AND (${parts.join(' OR ')})`, [...owners, ...placements]];
};

export const createAnsweredActions = ({ all, one }: Ask): Part<'answeredActions'> => ({
  answeredActions: async ({ before, visible, limit, look }) => {
    const upto = before === undefined ? noCondition : (['AND a.id < ?', [before]] as const);
    const end = await one(`SELECT a.id FROM audit a WHERE 1 = 1 ${upto[0]} ORDER BY a.id DESC LIMIT 1 OFFSET ?`, ...upto[1], look - 1);
    const from = end === undefined ? noCondition : (['AND a.id >= ?', [text(end, 'id')]] as const);
    const [where, named] = among(visible);
    const rows = await all(
      `SELECT a.*, s.owner AS of_owner, s.placement AS of_placement, s.title AS of_title FROM audit a JOIN sessions s ON s.id = a.session_id
        WHERE a.action = 'action.answered' ${upto[0]} ${from[0]} ${where} AND ${isThere('s')} ORDER BY a.id DESC LIMIT ?`,
      ...upto[1],
      ...from[1],
      ...named,
      limit,
    );
    const answers = rows.map((row) => ({
      entry: auditOf(row),
      session: { owner: text(row, 'of_owner'), placement: text(row, 'of_placement'), title: text(row, 'of_title') },
    }));
    const last = answers.at(-1);
    return { answers, next: last && answers.length === limit ? last.entry.id : end === undefined ? null : text(end, 'id') };
  },
});

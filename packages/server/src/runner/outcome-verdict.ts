/**
 * What a turn's success criteria say of an answer, as far as no judge is needed for that.
 *
 * OV1 The criteria are those that were accepted with the turn; a fault in one of them while it is looked at satisfies nobody, and says so.
 */
import type { Json } from '@turnkeeper/core/protocol/json';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { Verdict } from '@turnkeeper/core/session/outcome';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { Session } from '../app/lane.ts';
import type { RunServices } from './run-services.ts';

type Services = Pick<RunServices, 'store' | 'tools' | 'evaluate'>;

/** The turn as it is stored: what was asked of it, and what was judged. */
export const storedTurn = async ({ store }: Pick<Services, 'store'>, { head }: Session, turnId: TurnId): Promise<TurnBody> => {
  const row = await store.resource(head.sid, turnId);
  if (row?.kind !== 'turn') throw new Error(`the turn ${turnId} is missing`);
  return JSON.parse(row.body) as TurnBody;
};

/** How JSON begins: what does not need not be tried, and a throw costs more than all else of a short turn's end. */
const mayBeJson = /^\s*(?:["[{\d-]|true|false|null)/;

/** JSON where it is some, else the text itself. */
export const jsonOrText = (text: string): Json => {
  if (!mayBeJson.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};

/** Undefined where the turn has no criteria, or the answer at hand was judged already. */
export const verdictOn = async (services: Services, session: Session, turnId: TurnId, result: Json): Promise<Verdict | undefined> => {
  const { live } = session.state;
  if (live?.id !== turnId || !live.check || (live.check.verdict !== undefined && live.flow)) return undefined;
  const { outcome } = await storedTurn(services, session, turnId);
  if (!outcome) return undefined;
  const unfit = outcome.schema ? await services.tools.inputFaults(outcome.schema, result) : [];
  const reasons = [...unfit.map(({ pointer, detail }) => `${pointer || 'the result'} ${detail}`), ...told(services, outcome.expression, result)];
  if (reasons.length > 0) return { status: 'not_satisfied', reasons };
  return outcome.rubric ? { status: 'judge' } : { status: 'satisfied' };
};

const told = ({ evaluate }: Services, expression: string | undefined, result: Json): readonly string[] => {
  if (expression === undefined) return [];
  const given = evaluate(expression, { result });
  if (!given.ok) return [`\`${expression}\` failed: ${given.detail}`];
  return given.value === true ? [] : [`\`${expression}\` is not true`];
};

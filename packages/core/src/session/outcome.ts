/** Success criteria of a turn, as its session remembers and judges them. */
import type { Json, JsonObject } from '../protocol/json.ts';
import type { SessionId } from './ids.ts';

/** As accepted: the judge is pinned to a version. */
export type Criteria = {
  readonly schema?: JsonObject;
  readonly expression?: string;
  readonly rubric?: { readonly agent_id: string; readonly version: number; readonly criteria: string };
  readonly max_tries: number;
};

/** `judge`: the child session that judges now; `verdict`: of the answer that is there, once it is known. */
export type Check = { readonly maxTries: number; readonly tries: number; readonly judge?: SessionId; readonly verdict?: VerdictStatus };
export type VerdictStatus = 'satisfied' | 'not_satisfied';

/** What the criteria that need no judge say; `judge`: they are met, and the rest is for a judge to say. */
export type Verdict =
  | { readonly status: 'satisfied' }
  | { readonly status: 'not_satisfied'; readonly reasons: readonly string[] }
  | { readonly status: 'judge' };

/** What is judged, and what the turn comes to if it stands. */
export type Concluded = { readonly outputText: string; readonly result?: Json };

/** What a judge answers. */
export const verdictSchema: JsonObject = {
  type: 'object',
  required: ['satisfied', 'reason'],
  additionalProperties: false,
  properties: { satisfied: { type: 'boolean' }, reason: { type: 'string' } },
};

/**
 * The success criteria of a turn, as they are accepted with it.
 *
 * OA1 Criteria that could never be looked at are refused with the submission: a schema that is none, an expression with a fault, a judge that
 *     is not there for whoever submits.
 * OA2 A judge is pinned to its version: a change of the agent changes nothing of what was accepted.
 */
import type { Refusal } from '@turnkeeper/core/protocol/errors';
import { refuse, TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { OutcomeCheck } from '@turnkeeper/core/protocol/wire/outcomes';
import type { Criteria } from '@turnkeeper/core/session/outcome';
import { positionText } from '@turnkeeper/core/workflow/expression-port';
import type { Catalog } from '../ports/catalog.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import type { FrozenAgent } from './frozen-config.ts';
import { findTarget } from './target-grants.ts';

type Fault = { readonly pointer: string; readonly detail: string };

/** Undefined where the submission has none. `place` is where the request holds it. */
export const acceptedOutcome = async (
  app: App,
  caller: Caller,
  outcome: OutcomeCheck | undefined,
  place = '/outcome',
): Promise<{ readonly criteria: Criteria | undefined } | Refusal> => {
  if (!outcome) return { criteria: undefined };
  const { schema, expression, rubric, maxTries } = outcome;
  const faults: Fault[] = [];
  if (schema) for (const detail of await app.tools.schemaFaults(schema as JsonObject)) faults.push({ pointer: `${place}/schema`, detail });
  if (expression !== undefined) faults.push(...expressionFaults(app, expression).map((detail) => ({ pointer: `${place}/expression`, detail })));
  const judge = rubric && (await findTarget(app, caller, { type: 'agent', id: rubric.agentId }).catch(notGranted));
  if (rubric && judge?.type !== 'agent')
    faults.push({ pointer: `${place}/rubric/agentId`, detail: `there is no agent ${rubric.agentId}, or it is not granted` });
  if (faults.length > 0) return refuse('validation_failed', 'The success criteria cannot be used', { errors: faults });
  return {
    criteria: {
      ...(schema ? { schema: schema as JsonObject } : {}),
      ...(expression === undefined ? {} : { expression }),
      ...(rubric && judge?.type === 'agent' ? { rubric: { agent_id: judge.row.id, version: judge.row.version, criteria: rubric.criteria } } : {}),
      max_tries: maxTries,
    },
  };
};

/** As one that is not there: the refusal waits until it is known whether this is a repeat. */
const notGranted = (thrown: unknown): undefined => {
  if (!(thrown instanceof TurnkeeperError) || thrown.code !== 'target_not_granted') throw thrown;
};

const expressionFaults = (app: App, expression: string): readonly string[] => {
  const read = app.checkExpression(expression);
  if (!read.ok) return [read.at ? `${read.detail} (${positionText(read.at)})` : read.detail];
  const strange = read.names
    .filter(({ name }) => name !== 'result')
    .map(({ name, at }) => `\`${name}\` is not there: an expression sees \`result\` (${positionText(at)})`);
  return read.type === 'bool' || read.type === 'unknown' || read.type === 'other' ? strange : [...strange, `gives ${read.type}, not true or false`];
};

/** An agent as it was in this version; undefined where it is not there any more. */
export const pinnedAgent = async (catalog: Pick<Catalog, 'agent' | 'agentVersion'>, id: string, version: number): Promise<FrozenAgent | undefined> => {
  const [agent, found] = [await catalog.agent(id), await catalog.agentVersion(id, version)];
  if (!agent || !found) return undefined;
  const definition = found.definition as unknown as AgentDefinition;
  return { type: 'agent', id, name: agent.displayName, space: agent.space, version, definition };
};

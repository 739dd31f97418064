/** What `ask` and `chat` say of a session that they begin: none of it can be said of one that is there. */
import type { CreateSessionRequest, SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { UsageError } from '../exit-codes.ts';
import { programName } from '../program-name.ts';

export type NewSessionOptions = {
  readonly agent?: string;
  readonly model?: string;
  readonly title?: string;
  readonly space?: string;
  /** `key=value`. */
  readonly metadata?: readonly string[];
  /** Of each turn, running time. */
  readonly timeoutSeconds?: number;
  /** Of each turn, with all that it spawns. */
  readonly budgetTokens?: number;
};

type Metadata = SessionResource['metadata'];

/** JSON where it is JSON; otherwise the text itself, so that `customer=ACME` needs no quotes. */
const metadataValue = (text: string): Metadata[string] => {
  try {
    return JSON.parse(text) as Metadata[string];
  } catch {
    return text;
  }
};

const memberOf = (text: string): readonly [string, Metadata[string]] => {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" is no key=value.`);
  return [text.slice(0, at), metadataValue(text.slice(at + 1))];
};

/** Throws UsageError for what is no `key=value`. */
export const metadataIn = (members: readonly string[]): Metadata => Object.fromEntries(members.map(memberOf));

export type NewSession = Pick<CreateSessionRequest, 'model' | 'title' | 'space' | 'metadata' | 'timeoutSeconds' | 'budget'>;

/** All but the agent, which may have to be chosen. */
export const newSessionIn = ({ model, title, space, metadata, timeoutSeconds, budgetTokens }: NewSessionOptions): NewSession => ({
  ...(model === undefined ? {} : { model }),
  ...(title === undefined ? {} : { title }),
  ...(space === undefined ? {} : { space }),
  ...(metadata === undefined ? {} : { metadata: metadataIn(metadata) }),
  ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  ...(budgetTokens === undefined ? {} : { budget: { maxTokens: budgetTokens } }),
});

/** How a session that is there is told the same, where it can be. */
const instead = (sessionId: string): Readonly<Record<keyof NewSessionOptions, readonly [flag: string, what: string]>> => ({
  agent: ['--agent', 'a session keeps the agent with which it was made'],
  model: ['--model', 'a session keeps the model with which it was made'],
  title: ['--title', `one that is there is called something else with: ${programName} session rename ${sessionId}`],
  space: ['--space', 'a session stays where it was made'],
  metadata: ['--metadata', `of one that is there it is set with: ${programName} session metadata ${sessionId}`],
  timeoutSeconds: ['--timeout-seconds', 'a session keeps the time-out with which it was made'],
  budgetTokens: ['--budget-tokens', `of one that is there it is set with: ${programName} budget ${sessionId} --per-turn`],
});

/** Throws UsageError where something of a new session is said beside one that is there. `named`: how that one was named. */
export const refuseBeside = (named: string, session: string, options: NewSessionOptions): void => {
  const given = options as Readonly<Record<string, unknown>>;
  for (const [option, [flag, what]] of Object.entries(instead(session)))
    if (given[option] !== undefined) throw new UsageError(`Either ${named} or ${flag}: ${what}.`);
};

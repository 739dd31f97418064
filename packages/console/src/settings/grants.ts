/** What a key may be used for, as it is chosen in a list: `agent:<key>`, `team:*`. */
import type { TargetGrant } from '@turnkeeper/core/protocol/wire/identity';

export const grantTypes = ['agent', 'team', 'workflow'] as const;
/** Of a grant for all. */
export const grantTexts = { agent: 'everyAgent', team: 'everyTeam', workflow: 'everyWorkflow' } as const;

export const grantsOf = (chosen: readonly string[]): readonly TargetGrant[] =>
  chosen.flatMap((value) => {
    const colon = value.indexOf(':');
    const type = grantTypes.find((known) => known === value.slice(0, colon));
    return type === undefined ? [] : [{ type, id: value.slice(colon + 1) }];
  });

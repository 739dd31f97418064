/** What became of an action that this page did not answer. */
import type { OwnerName } from '../directory/directory.ts';
import type { TextKey } from '../i18n/en.ts';
import type { Text } from '../i18n/use-text.ts';

export type Resolution = { readonly status: string; readonly by?: OwnerName };

const texts: { readonly [status: string]: { readonly alone: TextKey; readonly by: TextKey } } = {
  answered: { alone: 'wasAnswered', by: 'wasAnsweredBy' },
  denied: { alone: 'wasDenied', by: 'wasDeniedBy' },
  expired: { alone: 'hasExpired', by: 'hasExpired' },
  cancelled: { alone: 'wasWithdrawn', by: 'wasWithdrawn' },
};

export const resolutionText = ({ status, by }: Resolution, nameOf: (owner: OwnerName) => string, t: Text): string => {
  const { alone, by: named } = texts[status] ?? { alone: 'wasWithdrawn', by: 'wasWithdrawn' };
  return by === undefined ? t(alone) : t(named, { name: nameOf(by) });
};

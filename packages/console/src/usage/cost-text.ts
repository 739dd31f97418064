import { reportedUnpricedCalls, type UsageSums } from '@turnkeeper/core/view/usage';
import { formatCost } from '../i18n/format.ts';
import type { Text } from '../i18n/use-text.ts';

/** What it cost as far as it is known: what has no price, or reported no use, says so, and is no zero. */
export const costText = (usage: UsageSums, locale: string, t: Text): string => {
  const cost = formatCost(usage, locale, t);
  if (cost !== undefined) return cost;
  if (usage.cost_complete) return '–';
  return reportedUnpricedCalls(usage) > 0 ? t('noPrice') : t('notReported');
};

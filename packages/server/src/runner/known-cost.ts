import type { Cost } from '@turnkeeper/core/session/events';
import type { FrozenConfig } from '../app/frozen-config.ts';
import { callCost, type Priced } from './call-cost.ts';

/** What a call to the model costs whatever it uses, and so when it is stopped or fails: known of models that cost nothing. */
export const knownCost = (services: Priced, config: FrozenConfig, model: string): { readonly cost?: Cost } => {
  const cost = callCost(services, config, model, undefined);
  return cost ? { cost } : {};
};

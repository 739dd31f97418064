import type { Cost } from '@turnkeeper/core/session/events';
import type { RunServices } from './run-services.ts';

/** What a call to the model costs whatever it uses, and so when it is stopped or fails: known of models that cost nothing. */
export const knownCost = ({ models, clock }: Pick<RunServices, 'models' | 'clock'>, model: string): { readonly cost?: Cost } => {
  const cost = models.price(model, undefined, clock.now());
  return cost ? { cost } : {};
};

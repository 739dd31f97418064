import type { Cost, TokenUsage } from '@turnkeeper/core/session/events';
import { frozenPrice } from '../app/freeze-prices.ts';
import type { FrozenConfig } from '../app/frozen-config.ts';
import { costBy } from '../models/prices.ts';
import type { RunServices } from './run-services.ts';

export type Priced = Pick<RunServices, 'models' | 'clock'>;

/**
 * What a call of the model costs in a session with this configuration: by the price that was frozen with it (FP1), else by what is
 * known now. Without a usage known only of models that cost nothing, whatever they use.
 */
export const callCost = ({ models, clock }: Priced, config: FrozenConfig, model: string, usage: TokenUsage | undefined): Cost | undefined => {
  const price = frozenPrice(config, model);
  return price ? costBy(price, usage) : models.price(model, usage, clock.now());
};

/**
 * What model calls of a session cost, frozen with it.
 *
 * FP1 Creation freezes the price in force of each model that the session, or a session below it, may call: what is said
 *     afterwards in the configuration, or in the table of a later release, does not reach it. What no price is known of then is
 *     priced as the server knows it when the call is made; so is all of a session that was made before prices were frozen.
 * FP2 `pricing` of a definition comes before all of these, for the model of that definition.
 */
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { FrozenPrice } from '../ports/model.ts';
import type { App } from './app.ts';
import type { FrozenConfig, FrozenFamily, FrozenPrices, FrozenTarget } from './frozen-config.ts';

type Part = { readonly target: FrozenTarget; readonly family?: FrozenFamily };

/** Of everyone who may call a model. */
const definitionsIn = ({ target, family }: Part): readonly AgentDefinition[] => [
  ...(target.workflow ? Object.values(target.workflow.targets).flatMap(definitionsIn) : [target.definition]),
  ...Object.values(family?.agents ?? {}).map(({ definition }) => definition),
];

/** The configuration with the prices that are in force now (FP1). */
export const withPrices = ({ models, clock }: Pick<App, 'models' | 'clock'>, config: FrozenConfig): FrozenConfig => {
  const at = clock.now();
  const wanted = new Set(definitionsIn(config).flatMap(({ model, pricing }) => (pricing ? [] : [model])));
  const found = [...wanted].toSorted().flatMap((model) => {
    const price = models.priceInForce(model, at);
    return price ? [[model, price] as const] : [];
  });
  return found.length === 0 ? config : { ...config, prices: Object.fromEntries(found) };
};

/** The price that a call of this model has in the session; undefined where it is what the server knows when it is made. */
export const frozenPrice = ({ target: { definition }, prices }: { readonly target: FrozenTarget; readonly prices?: FrozenPrices }, model: string) =>
  (model === definition.model ? definition.pricing : undefined) ?? (prices && Object.hasOwn(prices, model) ? (prices[model] as FrozenPrice) : undefined);

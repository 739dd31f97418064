/** Prices of models, by the million tokens: in the configuration file, and in the definition of an agent. */
import { z } from 'zod';

/** Input from the provider's cache, and into it, costs as much as other input where its price is left out; USD where no currency is said. */
export const modelPrice = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cachedInput: z.number().min(0).optional(),
  cacheCreationInput: z.number().min(0).optional(),
  currency: z.string().optional(),
});
export type ModelPrice = z.infer<typeof modelPrice>;

/** One that ISO 4217 knows, as far as the platform does. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);
export const currencyWanted = 'must be a currency of ISO 4217, e.g. USD';

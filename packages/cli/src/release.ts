/** This release, as the package says it: there is no second place that could differ. Sources and bundles lie at the same depth. */
import { readFileSync } from 'node:fs';

export const release = (): string => (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string }).version;

/** What of a user's message a provider can be shown. Text is always shown, also that of files. */
import type { Medium } from '../ports/model.ts';
import type { Adapter } from './adapter.ts';

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/ld+json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/javascript',
  'application/sql',
  'application/x-ndjson',
]);

const bareType = (mediaType: string): string => mediaType.split(';')[0]?.trim().toLowerCase() ?? '';

/** True for a file whose bytes are text: it is shown as such to every model. */
export const isText = (mediaType: string): boolean => bareType(mediaType).startsWith('text/') || textTypes.has(bareType(mediaType));

/** `image/*`: all of its kind. What says its kind alone is taken where any of it is. */
const fits = (pattern: string, mediaType: string): boolean => {
  const [kind] = pattern.split('/');
  return pattern.endsWith('/*') || mediaType === kind ? mediaType.split('/')[0] === kind : mediaType === pattern;
};

/** Why a provider cannot be shown this, or undefined. */
export const mediumFault = ({ provider, inputMedia: { types, byUrl } }: Adapter, { mediaType, isUrl }: Medium): string | undefined => {
  const type = bareType(mediaType);
  if (!isUrl && isText(type)) return undefined;
  const known = types.some((pattern) => fits(pattern, type));
  if (known && (!isUrl || byUrl.some((pattern) => fits(pattern, type)))) return undefined;
  return known ? `models of "${provider}" take ${type} as bytes only, not by URL` : `models of "${provider}" take no ${type}; they take ${types.join(', ')}`;
};

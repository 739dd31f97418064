/** The `X-File-Name` header: what bytes in a body are called. */
import { decodeHeader } from './decode-header.ts';

/** As it was percent-encoded; what is not is taken as it stands. */
export const fileName = (header: string | string[] | undefined): string | undefined => {
  if (typeof header !== 'string') return undefined;
  const text = decodeHeader(header);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

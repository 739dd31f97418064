/** What went wrong with a request, in words for models and people; never the request itself. */
import { OutboundRefused } from './outbound.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  ENOTFOUND: 'is not known (its name leads to no address)',
  EAI_AGAIN: 'could not be looked up now',
  ETIMEDOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'did not answer in time',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  HPE_INVALID_CONSTANT: 'does not speak HTTP',
};

const codesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : codesOf(error.cause);
  return [...(typeof code === 'string' ? [code] : []), ...inner];
};

const refusalIn = (error: unknown): OutboundRefused | undefined =>
  error instanceof OutboundRefused ? error : error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;

export const networkFault = (error: unknown, host: string): string => {
  const refusal = refusalIn(error);
  if (refusal) return refusal.message;
  const codes = codesOf(error);
  const reason = codes.map((code) => reasons[code]).find((text) => text !== undefined);
  return `${host} ${reason ?? `could not be reached${codes[0] === undefined ? '' : ` (${codes[0]})`}`}.`;
};

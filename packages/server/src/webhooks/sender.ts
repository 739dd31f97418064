/**
 * One request to a receiver.
 *
 * SN1 Only https to public addresses is spoken, and what the operator allows: the filter looks at the address that is
 *     connected to [O4]. Redirects are not followed [O5].
 * SN2 What a receiver says beside its status is neither kept nor shown: whoever registers an address must not read through us.
 * SN3 The answer's status must be there within 10 s.
 */
import { isMetadata, isPublic, parseAddress } from '../outbound/addresses.ts';
import { type AllowList, plainHost } from '../outbound/allow-list.ts';
import { networkFault } from '../outbound/network-fault.ts';
import { createOutbound, type Lookup } from '../outbound/outbound.ts';
import type { Clock } from '../ports/clock.ts';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../ports/webhooks.ts';

export type SenderOptions = {
  readonly clock: Clock;
  readonly allow: AllowList;
  /** Any address but a metadata service's, and http: for development. */
  readonly allowPrivate: boolean;
  readonly lookup?: Lookup;
};

const answerMs = 10_000;
/** What is read of an answer so that its connection can be used again. */
const mostBodyBytes = 16_384;

const failed = (error: string, status: number | null = null): WebhookAnswer => ({ ok: false, status, error });

/** For whoever tries it at home. */
const localHint = 'for development the server may be started with TURNKEEPER_WEBHOOK_ALLOW_PRIVATE=1';

const faultOf = (text: string, { allow, allowPrivate }: SenderOptions): string | undefined => {
  if (!URL.canParse(text)) return 'a whole URL is wanted, such as https://example.com/hook';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'an https:// URL is wanted';
  if (url.username !== '' || url.password !== '') return 'a URL without a user name and password is wanted';
  const host = plainHost(url.hostname);
  const byName = allow.host(host, Number(url.port) || (url.protocol === 'https:' ? 443 : 80));
  const literal = parseAddress(host);
  const byAddress = literal !== undefined && allow.address(literal);
  if (url.protocol === 'http:' && !allowPrivate && !byName && !byAddress) return `an https:// URL is wanted (${localHint})`;
  if (!literal || byName || byAddress) return undefined;
  const fits = allowPrivate ? !isMetadata(literal) : isPublic(literal);
  if (fits) return undefined;
  return isMetadata(literal) ? `${host} is not a public address` : `${host} is not a public address (${localHint})`;
};

export const createWebhookSender = (options: SenderOptions): WebhookSender => {
  const { clock, allow, allowPrivate, lookup } = options;
  const outbound = createOutbound({ allow, ...(lookup ? { lookup } : {}) });
  const way = allowPrivate ? outbound.named : outbound.open;

  const send = async ({ url, headers, body }: WebhookRequest, signal?: AbortSignal): Promise<WebhookAnswer> => {
    const fault = faultOf(url, options);
    if (fault !== undefined) return failed(`${fault}.`);
    const { host } = new URL(url);
    const timeout = new AbortController();
    const stop = clock.after(answerMs, () => timeout.abort());
    const both = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
    try {
      const answer = await way.request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'turnkeeper' },
        body,
        signal: both,
      });
      const { statusCode } = answer;
      // Its time is up with the same timer; a body that does not end is dropped with its connection.
      await answer.body.dump({ limit: mostBodyBytes, signal: both }).catch(() => {});
      if (statusCode >= 200 && statusCode < 300) return { ok: true, status: statusCode, error: null };
      return failed(statusCode >= 300 && statusCode < 400 ? `answered ${statusCode}: redirects are not followed.` : `answered ${statusCode}.`, statusCode);
    } catch (error) {
      if (timeout.signal.aborted) return failed(`${host} did not answer within ${answerMs / 1_000} s.`);
      return failed(signal?.aborted ? 'stopped.' : networkFault(error, host));
    } finally {
      stop();
    }
  };
  return { fault: (url) => faultOf(url, options), send, close: outbound.close };
};

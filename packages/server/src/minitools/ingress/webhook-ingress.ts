/**
 * The public door of mini-tools' webhooks: verifies a request, keeps it, and answers.
 *
 * IG1 A request is answered as taken when it is durably kept, and at once: the mini-tool need not run. What was taken before is
 *     answered the same and kept once.
 * IG2 Nothing is kept that is not verified: who cannot sign is answered 401. All hooks that are not there, or are switched off, are
 *     answered alike, with 404. That a hook is there is no secret: its signature is.
 * IG3 A secret, and the headers that hold one, are neither kept nor logged.
 * IG4 So many wait for a hook and no more, and no more bytes than so many; who sends beyond that is told when to come back.
 * IG5 Whoever looks after the mini-tool sees what came in and how it was answered, also what was refused; never what it said.
 */
import { type ErrorCode, errorTable, TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Manifest, manifest as manifestSchema, type WebhookContribution } from '@turnkeeper/minitool/manifest/schema';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Arrival, ArrivalOutcome, ArrivalSignature } from '../../ports/minitool-arrivals.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import { ArrivalLog } from './arrival-log.ts';
import { messageKeys } from './message-keys.ts';
import { slackChallenge } from './slack-challenge.ts';
import type { GivenRequest } from './verify/signing.ts';
import { type Verification, verificationOf } from './verify/verification.ts';

export type WebhookIngressOptions = {
  readonly store: Pick<MinitoolStore, 'minitool' | 'receive'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'next'>;
  /** A secret of a mini-tool, in the clear. */
  readonly secret: (minitoolId: string, key: string) => Promise<string | undefined>;
  /** Something was kept: whoever delivers may look. */
  readonly received: (minitoolId: string, hook: string) => void;
  /** Into the mini-tool's own log. */
  readonly log: (minitoolId: string, level: 'warn', message: string) => void;
  /** In place of 10,000. */
  readonly mostWaiting?: number;
  /** In place of 256 MiB. */
  readonly mostWaitingBytes?: number;
};

/** `text`: what the platform wants to be answered; nothing else. */
export type IngressAnswer = { readonly status: 200 | 202; readonly text?: string };
export type OpenHook = {
  readonly maxBodyBytes: number;
  readonly receive: (request: GivenRequest) => Promise<IngressAnswer>;
  /** It was not let in at all; so many bytes were read. */
  readonly refused: (error: unknown, bytes: number) => void;
};

const mostWaiting = 10_000;
const mostWaitingBytes = 256 * 1_048_576;
const retryAfterMs = 30_000;
/** What concerns one connection, or the sender's other doings with this server. */
const unkept = new Set([
  'authorization',
  'cookie',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
]);
/** These take no other status for a yes. */
const wants200: ReadonlySet<string> = new Set(['slack', 'telegram']);
const anId = /^[a-z0-9-]{1,64}$/;
const complainEveryMs = 60_000;

/** `began`: when it was looked up for a request, by the clock's own time. */
type Hook = { readonly minitoolId: string; readonly manifest: Manifest; readonly hook: WebhookContribution; readonly began: number };
type Told = Pick<Arrival, 'outcome' | 'signature' | 'bytes' | 'status'> & Partial<Pick<Arrival, 'code' | 'messageId'>>;
type Taken = { readonly answer: IngressAnswer; readonly outcome: ArrivalOutcome; readonly messageId?: string };

const takesAll = ({ verify }: WebhookContribution): boolean => (typeof verify === 'string' ? verify : verify.type) === 'none';
const codeOf = (error: unknown): ErrorCode => (error instanceof TurnkeeperError ? error.code : 'internal_error');

export class WebhookIngress {
  readonly #options: WebhookIngressOptions;
  /** When a hook's fault was last told. */
  readonly #complained = new Map<string, number>();
  /** What came in lately. */
  readonly arrivals = new ArrivalLog();

  constructor(options: WebhookIngressOptions) {
    this.#options = options;
  }

  /** Undefined where there is none. */
  async hook(minitoolId: string, hookId: string): Promise<OpenHook | undefined> {
    // Not everything that stands in an address is a text that a store takes.
    const row = anId.test(minitoolId) ? await this.#options.store.minitool(minitoolId) : undefined;
    // One that has given up comes back when a person has mended it: what is sent meanwhile waits.
    if (!row || row.status === 'disabled') return undefined;
    const parsed = manifestSchema.safeParse(row.manifest);
    const hook = parsed.data?.contributes.webhooks.find(({ id }) => id === hookId);
    if (!parsed.success || !hook) return undefined;
    const found = { minitoolId, manifest: parsed.data, hook, began: this.#options.clock.elapsed() };
    return {
      maxBodyBytes: hook.maxBodyBytes,
      receive: (request) => this.#receive(found, request),
      refused: (error, bytes) => this.#refused(found, error, { signature: 'not_checked', bytes }),
    };
  }

  async #receive(found: Hook, request: GivenRequest): Promise<IngressAnswer> {
    const { minitoolId, manifest, hook } = found;
    const { clock, secret } = this.#options;
    const bytes = request.body.length;
    let signature: ArrivalSignature = 'not_checked';
    try {
      const verification = await verificationOf(manifest, hook, (key) => secret(minitoolId, key));
      if (verification.fault !== undefined) this.#complain(found, verification.fault);
      const isGenuine = verification.genuine(request, clock.now());
      signature = !isGenuine ? 'wrong' : takesAll(hook) ? 'not_wanted' : 'verified';
      if (!isGenuine) throw new TurnkeeperError('unauthenticated', 'The signature is not right, or too old.');
      const { answer, ...taken } = await this.#take(found, verification, request);
      this.#tell(found, { ...taken, signature, bytes, status: answer.status });
      return answer;
    } catch (error) {
      this.#refused(found, error, { signature, bytes });
      throw error;
    }
  }

  async #take(found: Hook, verification: Verification, request: GivenRequest): Promise<Taken> {
    const challenge = verification.platform === 'slack' ? slackChallenge(request) : undefined;
    if (challenge !== undefined) return { answer: { status: 200, text: challenge }, outcome: 'answered' };
    const kept = await this.#keep(found, verification, request);
    return { answer: { status: wants200.has(verification.platform ?? '') ? 200 : 202 }, ...kept };
  }

  #refused(found: Hook, error: unknown, told: Pick<Arrival, 'signature' | 'bytes'>): void {
    const code = codeOf(error);
    this.#tell(found, { ...told, outcome: 'refused', status: errorTable[code].status, code });
  }

  #tell({ minitoolId, hook, began }: Hook, told: Told): void {
    const { clock, ids } = this.#options;
    const durationMs = Math.round(clock.elapsed() - began);
    this.arrivals.add(minitoolId, { id: ids.next('arr'), at: clock.now(), hook: hook.id, durationMs, code: null, messageId: null, ...told });
  }

  async #keep({ minitoolId, hook }: Hook, { platform, secretHeaders }: Verification, request: GivenRequest): Promise<Omit<Taken, 'answer'>> {
    const { store, clock, ids, received } = this.#options;
    const now = clock.now();
    const most = { messages: this.#options.mostWaiting ?? mostWaiting, bytes: this.#options.mostWaitingBytes ?? mostWaitingBytes };
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !unkept.has(name) && !secretHeaders.includes(name)));
    const row = {
      id: ids.next('whm'),
      minitoolId,
      hook: hook.id,
      ...messageKeys(hook, platform, request),
      headers,
      body: request.body.toString('base64'),
      receivedAt: now,
      attempts: 0,
      notBefore: now,
    };
    const outcome = await store.receive(row, most);
    if (outcome === 'full')
      throw new TurnkeeperError('rate_limited', `${most.messages} messages or ${most.bytes} bytes wait for this webhook.`, {
        limit: most.messages,
        limit_bytes: most.bytes,
        retry_after_ms: retryAfterMs,
      });
    if (outcome !== 'received') return { outcome: 'repeated' };
    received(minitoolId, hook.id);
    return { outcome: 'kept', messageId: row.id };
  }

  /** Now and then: senders come again and again. */
  #complain({ minitoolId, hook }: Hook, fault: string): void {
    const key = `${minitoolId}/${hook.id}`;
    const now = this.#options.clock.elapsed();
    if (now - (this.#complained.get(key) ?? Number.NEGATIVE_INFINITY) < complainEveryMs) return;
    this.#complained.set(key, now);
    this.#options.log(minitoolId, 'warn', `webhook "${hook.id}" refuses everything: ${fault}`);
  }
}

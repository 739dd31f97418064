/**
 * Whether a request is what its hook's platform has sent.
 *
 * VY3 A secret is one that the manifest declares: of a platform `webhook.<hook>`, else the one that `verify.secret` names.
 * VY4 What cannot be verified is refused: a secret that is not declared, not set or empty. Only `none` takes everything.
 */
import { maySeeSecret } from '@turnkeeper/minitool/manifest';
import type { Manifest, WebhookContribution } from '@turnkeeper/minitool/manifest/schema';
import type { GivenRequest, Verifier } from './signing.ts';
import { hmacInHeader, type Platform, platformVerifiers, tokenInHeader } from './verifiers.ts';

export type Verification = {
  readonly platform: Platform | undefined;
  /** Headers that hold the secret itself: nobody is shown them. */
  readonly secretHeaders: readonly string[];
  /** Why it can never succeed as things are; undefined = it can. Without the secret's value. */
  readonly fault: string | undefined;
  readonly genuine: (request: GivenRequest, now: number) => boolean;
};

export type SecretOf = (key: string) => Promise<string | undefined>;

type Kind = { readonly platform?: Platform; readonly secret: string; readonly secretHeaders: readonly string[]; readonly verify: Verifier };

const kindOf = ({ id, verify }: WebhookContribution): Kind | undefined => {
  const { type, header, secret } = typeof verify === 'string' ? { type: verify, header: '', secret: `webhook.${id}` } : verify;
  switch (type) {
    case 'none':
      return undefined;
    case 'telegram':
      return { platform: type, secret, secretHeaders: ['x-telegram-bot-api-secret-token'], verify: platformVerifiers[type] };
    case 'slack':
    case 'github':
    case 'stripe':
    case 'standard-webhooks':
      return { platform: type, secret, secretHeaders: [], verify: platformVerifiers[type] };
    case 'hmac-sha256':
      return { secret, secretHeaders: [], verify: hmacInHeader(header) };
    case 'token':
      return { secret, secretHeaders: [header.toLowerCase()], verify: tokenInHeader(header) };
  }
};

const open: Verification = { platform: undefined, secretHeaders: [], fault: undefined, genuine: () => true };
const refusing = (fault: string): Verification => ({ platform: undefined, secretHeaders: [], fault, genuine: () => false });

export const verificationOf = async (manifest: Pick<Manifest, 'permissions'>, hook: WebhookContribution, secretOf: SecretOf): Promise<Verification> => {
  const kind = kindOf(hook);
  if (kind === undefined) return open;
  if (!maySeeSecret(manifest, kind.secret)) return refusing(`the secret "${kind.secret}" is not in permissions.secrets`);
  const secret = await secretOf(kind.secret);
  if (secret === undefined || secret === '') return refusing(`the secret "${kind.secret}" is not set`);
  const { platform, secretHeaders, verify } = kind;
  return { platform, secretHeaders, fault: undefined, genuine: (request, now) => verify(request, secret, now) };
};

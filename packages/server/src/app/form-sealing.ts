/**
 * What people fill in while a tool runs, on its way to that run.
 *
 * FV1 Only the run that asked can open what was filled in: its key never leaves the memory of its process, and goes with the run.
 *     What is stored and sent is of no use to anybody else, this server's own key included.
 * FV2 What was sealed for one form opens as no other's.
 */
import { createCipheriv, createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { JsonObject } from '@turnkeeper/core/protocol/json';

const version = 'v1';
const algorithm = 'aes-256-gcm';
const pointBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

const newPair = () => generateKeyPairSync('x25519');
const pointOf = (key: KeyObject): string => String(key.export({ format: 'jwk' }).x);
const keyOf = (point: string): KeyObject => createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: point }, format: 'jwk' });

/** Both sides come to the same key: `mine` and `theirs` are the sides, `point` is the sender's. */
const sharedKey = (mine: KeyObject, theirs: KeyObject, point: string, requestId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey: mine, publicKey: theirs }), point, `turnkeeper:form:${requestId}`, 32));

export const sealValues = (answerKey: string, requestId: string, values: JsonObject): string => {
  const { publicKey, privateKey } = newPair();
  const point = pointOf(publicKey);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, sharedKey(privateKey, keyOf(answerKey), point, requestId), nonce, { authTagLength: tagBytes });
  const text = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
  return `${version}.${Buffer.concat([Buffer.from(point, 'base64url'), nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
};

/** The key of one form. */
export type FormKey = {
  readonly answerKey: string;
  /** Undefined when it was not sealed for this form, or was changed. */
  readonly open: (requestId: string, sealed: string) => JsonObject | undefined;
};

export const createFormKey = (): FormKey => {
  const { publicKey, privateKey } = newPair();
  return {
    answerKey: pointOf(publicKey),
    open: (requestId, sealed) => {
      const [form, body = ''] = sealed.split('.');
      const bytes = Buffer.from(body, 'base64url');
      const nonceAt = pointBytes + nonceBytes;
      if (form !== version || bytes.length < nonceAt + tagBytes) return undefined;
      const point = bytes.subarray(0, pointBytes).toString('base64url');
      try {
        const key = sharedKey(privateKey, keyOf(point), point, requestId);
        const cipher = createDecipheriv(algorithm, key, bytes.subarray(pointBytes, nonceAt), { authTagLength: tagBytes });
        cipher.setAuthTag(bytes.subarray(nonceAt, nonceAt + tagBytes));
        const text = Buffer.concat([cipher.update(bytes.subarray(nonceAt + tagBytes)), cipher.final()]).toString('utf8');
        return JSON.parse(text) as JsonObject;
      } catch {
        return undefined;
      }
    },
  };
};

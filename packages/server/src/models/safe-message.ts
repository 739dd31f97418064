/**
 * Makes a provider's own words safe to show (M5): providers echo keys ("Incorrect API key provided: sk-…") and
 * pieces of the request, and the message ends up in events, webhooks and logs.
 */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';

const maxCodePoints = 300;
/** A shorter piece in common with the request is a coincidence or a name. */
const pieceUnits = 32;
/** Shorter "keys" are placeholders such as `none`; replacing them would garble the message. */
const minSecretUnits = 6;

const keyShapes = [
  /\b(?:sk|pk|rk|key|gsk|xai)-[\w*.-]{4,}/gi,
  /\bAIza[\w-]{8,}/g,
  /\b(?:bearer|basic)\s+[^\s"',]+/gi,
  /\b(?:x-api-key|x-goog-api-key|authorization|api[_-]?key|key|token|password)["']?\s*[=:]\s*[^\s"',&]+/gi,
  /\/\/[^/\s@]+@/g,
];

const withoutSecrets = (text: string, secrets: readonly string[]): string => {
  let safe = text;
  for (const secret of secrets) {
    if (secret.length < minSecretUnits) continue;
    for (const form of new Set([secret, encodeURIComponent(secret)])) safe = safe.replaceAll(form, '[redacted]');
  }
  for (const shape of keyShapes) safe = safe.replace(shape, '[redacted]');
  return safe;
};

const repeatsRequest = (text: string, requestTexts: readonly string[]): boolean => {
  for (let at = 0; at + pieceUnits <= text.length; at += 1) {
    const piece = text.slice(at, at + pieceUnits);
    if (requestTexts.some((request) => request.includes(piece))) return true;
  }
  return false;
};

/** The text without secrets, in one line of at most 300 characters; undefined when it repeats the request. */
export const safeMessage = (text: string, secrets: readonly string[], requestTexts: readonly string[]): string | undefined => {
  const cut = firstCodePoints(text.slice(0, 4 * maxCodePoints).toWellFormed(), maxCodePoints);
  // Before and after the line is joined: the request may hold its line breaks, or not.
  const oneLine = withoutSecrets(cut, secrets).replace(/\s+/g, ' ').trim();
  return repeatsRequest(cut, requestTexts) || repeatsRequest(oneLine, requestTexts) ? undefined : oneLine;
};

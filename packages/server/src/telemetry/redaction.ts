/**
 * What a log line may not say.
 *
 * TR1 Every line goes through here as the text that is written, whoever logs it and whatever an error drags along: no value
 *     under a name that means a secret, no credential of a header or an address, no token of ours.
 */

const hidden = '[redacted]';
// Bounded, so that a long line costs no more than its length.
const secretName = String.raw`[\w.-]{0,40}(?:token|api[-_]?key|secret|password|passwd|authorization|cookie|credential)[\w.-]{0,40}`;

const rules: readonly (readonly [RegExp, string])[] = [
  // Members of JSON, and of JSON within a string.
  [new RegExp(String.raw`("${secretName}"\s*:\s*)"(?:[^"\\]|\\.)*"`, 'gi'), `$1"${hidden}"`],
  [new RegExp(String.raw`(\\"${secretName}\\"\s*:\s*)\\"(?:[^"\\]|\\[^"])*\\"`, 'gi'), `$1\\"${hidden}\\"`],
  [/\b(Bearer|Basic)(?: |%20)+[^\s"'\\,;]+/gi, `$1 ${hidden}`],
  // Queries and what looks like them: token=…, password: …
  [new RegExp(String.raw`((?:^|[?&;\s"'{,(])${secretName}\s?=\s?)[^\s&"'\\;,)}]+`, 'gi'), `$1${hidden}`],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'\\@]+@/gi, `$1${hidden}@`],
  [/\b(?:tk[kl]?|sk)[-_][A-Za-z0-9_-]{16,}/g, hidden],
];

/** The line without what it may not say. */
export const redactLine = (line: string): string => {
  let text = line;
  for (const [pattern, replacement] of rules) text = text.replace(pattern, replacement);
  return text;
};

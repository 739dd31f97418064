/** The forms in which a secret's value is likely to come back, as they are spelt by what others write their answers with. */

/** A part of a value that is not long enough to be looked for by itself. */
const shortestPart = 8;
const scheme = /^(?:bearer|basic|token|key|api-?key|digest|negotiate)\s+(\S.*)$/is;

type Escaping = { readonly ascii: boolean; readonly html: string; readonly upper: boolean };

const unicode = (unit: string, upper: boolean): string => {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${upper ? hex.toUpperCase() : hex}`;
};

/** As within JSON: what is not ASCII, and what means something in HTML, is escaped by some. */
const inJson = (value: string, { ascii, html, upper }: Escaping): string =>
  [...JSON.stringify(value).slice(1, -1).split('')].map((unit) => ((ascii && unit > '~') || html.includes(unit) ? unicode(unit, upper) : unit)).join('');

const jsonForms = (value: string): readonly string[] => {
  const forms = [false, true].flatMap((ascii) =>
    ['', '&<>', "&<>'", "&<>'\u2028\u2029"].flatMap((html) => [false, true].map((upper) => inJson(value, { ascii, html, upper }))),
  );
  const all = [...forms, ...forms.map((form) => form.replaceAll('/', '\\/'))];
  // Who repeats in JSON the JSON that it was sent has it as a text there.
  return [...all, ...all.map((form) => JSON.stringify(form).slice(1, -1))];
};

const lowerCodes = (encoded: string): string => encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** As within an address or a form: with all that RFC 3986 reserves encoded, or less. */
const urlForms = (value: string): readonly string[] => {
  const encoded = encodeURIComponent(value.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const whole = [encoded, strict, encodeURI(value.toWellFormed()), new URLSearchParams([['', value]]).toString().slice(1)];
  const all = whole.flatMap((form) => [form, form.replaceAll('%2F', '/')]).flatMap((form) => [form, form.replaceAll('%20', '+')]);
  return all.flatMap((form) => [form, lowerCodes(form)]);
};

const base64Forms = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  const padded = bytes.toString('base64');
  // Padding may follow or not: without it the form is the start of both.
  return [padded.replace(/=+$/, ''), bytes.toString('base64url')];
};

/** Each once; the value itself among them. */
export const secretForms = (value: string): readonly string[] => {
  const part = scheme.exec(value.trim())?.[1];
  const values = [value, value.trim(), ...(part !== undefined && part.length >= shortestPart ? [part] : [])];
  return [...new Set(values.flatMap((plain) => [plain, ...jsonForms(plain), ...urlForms(plain), ...base64Forms(plain)]))];
};

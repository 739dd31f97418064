/**
 * How many values a JSON text holds at least, without parsing it: millions of empty objects cost seconds to parse.
 *
 * Every value but the first stands behind a comma or an opening bracket, and brackets are values themselves: there are at
 * least half as many values as commas and opening brackets. Strings are leapt over.
 */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/** Where the string that begins at `from` ends. */
const endOfString = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(quote, from + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1;
    while (bytes[before] === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return bytes.length;
};

/** Whether a text surely holds more than `limit` values. Of one that is no JSON it says what it likes. */
export const holdsMoreValues = (bytes: Buffer, limit: number): boolean => {
  let marks = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === comma || byte === bracket || byte === brace) {
      marks += 1;
      if (marks > 2 * limit) return true;
    }
  }
  return false;
};

/** What was typed as a result: JSON where it is JSON of more than one word, else text. */
export const resultValue = (text: string): unknown => {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return text;
  try {
    return [{ type: 'data', data: JSON.parse(trimmed) as unknown }];
  } catch {
    return text;
  }
};

/** The words that answer an open action. Nothing else does: a sentence that begins with "y" is no approval. */
export type Choice = 'y' | 'n' | 'a' | 'e' | 'l';

const words: { readonly [word: string]: Choice } = { y: 'y', yes: 'y', n: 'n', no: 'n', a: 'a', always: 'a', e: 'e', edit: 'e', l: 'l', later: 'l' };

export const choiceOf = (text: string): Choice | undefined => {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(words, word) ? words[word] : undefined;
};

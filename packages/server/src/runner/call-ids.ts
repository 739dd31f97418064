/** Ids at least this long are taken to be random, as those of the large providers are. */
const randomIdLength = 16;
/** Longer ones are cut: the state counts on short ids. */
const longestId = 80;

/**
 * A tool call is known by its turn and its id, but some models count their calls from 0 in every answer: such an id
 * gets the number of the model call in its turn (`modelCall`), a repeated one a suffix.
 */
export const uniqueCallId = (id: string, modelCall: number, used: Set<string>): string => {
  const base = id.length >= randomIdLength ? id.slice(0, longestId) : `${id === '' ? 'call' : id}_${modelCall}`;
  let unique = base;
  for (let n = 2; used.has(unique); n += 1) unique = `${base}_${n}`;
  used.add(unique);
  return unique;
};

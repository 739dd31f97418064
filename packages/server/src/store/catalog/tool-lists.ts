/** Lists of tools that sessions were frozen with: the first one that is kept under a key stays. */
import type { Access, Part } from './catalog-access.ts';

export const createToolLists = ({ db, one, write }: Access): Part<'keepToolList' | 'toolList'> => {
  const kept = (key: string) => db.selectFrom('tool_lists').select('body').where('key', '=', key);
  const toolList = async (key: string): Promise<string | undefined> => {
    const row = await one(kept(key));
    return row && String(row['body']);
  };
  return {
    toolList,
    keepToolList: async (key, body, at) => {
      const there = await toolList(key);
      if (there !== undefined) return there;
      const insert = db
        .insertInto('tool_lists')
        .values({ key, body, at })
        .onConflict((conflict) => conflict.doNothing());
      // Read after the insert, which waits for another's under the same key: both give back the one that stays.
      const [, rows] = await write(insert, kept(key));
      return String(rows?.[0]?.['body']);
    },
  };
};

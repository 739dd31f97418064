import { expect, test } from 'vitest';
import { createToolNames } from './tool-names.ts';

test('names are those that providers accept, each once, and the same for the same lists', () => {
  const give = (): readonly string[] => {
    const nameOf = createToolNames(['files_read']);
    const tools = ['read', 'a.b/c', 'a b c', 'größe', 'x'.repeat(100), 'x'.repeat(101), ''];
    return [...tools.map((tool) => nameOf('files', tool)), nameOf('files_a', 'b_c'), nameOf('files', 'a_b_c')];
  };
  const names = give();
  expect(names.slice(0, 4)).toEqual(['files_read_2', 'files_a_b_c', 'files_a_b_c_2', 'files_gr__e']);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(give()).toEqual(names);
});

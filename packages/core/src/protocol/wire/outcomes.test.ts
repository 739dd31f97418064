import { expect, it } from 'vitest';
import { criteriaSchemaCharacters, outcomeCheck } from './outcomes.ts';

it('takes no schema that would be written anew with everything that happens in its turn', () => {
  const schema = (length: number) => ({ schema: { description: 'x'.repeat(length) } });
  expect(outcomeCheck.safeParse(schema(1_000)).success).toBe(true);
  expect(outcomeCheck.safeParse(schema(criteriaSchemaCharacters)).success).toBe(false);
  expect(outcomeCheck.safeParse({}).success).toBe(false);
});

/** The example that the documents show is the one that runs. */
import { expect, it } from 'vitest';
import { read } from './repository.ts';

const example = read('examples/ten-lines.ts');

it.each(['README.md', 'docs/client.md'])('%s shows examples/ten-lines.ts, word for word', (file) => {
  expect(read(file)).toContain(`\`\`\`ts\n${example}\`\`\``);
});

it('is ten lines', () => {
  expect(example.trimEnd().split('\n')).toHaveLength(10);
});

/** Writes the documents that are made from code: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorDocsPath, renderErrorDocs } from './error-docs.ts';
import { invariantDocsPath, renderInvariantDocs } from './invariant-docs.ts';
import { root } from './repository.ts';

writeFileSync(join(root, errorDocsPath), renderErrorDocs());
writeFileSync(join(root, invariantDocsPath), renderInvariantDocs());
console.log(`wrote ${errorDocsPath} and ${invariantDocsPath}`);

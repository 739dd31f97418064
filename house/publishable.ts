/**
 * Makes a package of what `tsc` wrote to `dist/npm`: `npm run build` ends with it, in the package's folder, and
 * `npm publish dist/npm` takes it from there.
 *
 * In the checkout packages are read as TypeScript, so their `exports` lead to `src`; outside they lead to JavaScript.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.ts';

type Manifest = { readonly [member: string]: unknown };

const kept = ['name', 'version', 'license', 'type', 'description', 'engines', 'dependencies', 'peerDependencies'] as const;

const publishedManifest = (manifest: Manifest, styles: readonly string[]): Manifest => ({
  ...Object.fromEntries(kept.filter((member) => member in manifest).map((member) => [member, manifest[member]])),
  sideEffects: styles.length === 0 ? false : ['*.css'],
  exports: { ...Object.fromEntries(styles.map((name) => [`./${name}`, `./${name}`])), './*': { types: './*.d.ts', default: './*.js' } },
});

/** tsc rewrites `./x.ts` in what it writes as JavaScript, not in declarations. */
const pointToJs = (folder: string): void => {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.tsx?\2/g, '$1$2$3.js$2'));
  }
};

const folder = join(process.cwd(), 'dist', 'npm');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const styles = readdirSync('src').filter((name) => name.endsWith('.css'));
pointToJs(folder);
for (const name of styles) copyFileSync(join('src', name), join(folder, name));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest, styles), null, 2)}\n`);
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));

/** Holds every import of the house to the table in import-table.ts. */
import { describe, expect, it } from 'vitest';
import { areaOf, areas, isOutside, isTestSupport, mayImport } from './import-table.ts';
import { importsOf, targetOf } from './imports.ts';
import { codeFiles, isTest, type Manifest, manifests } from './repository.ts';

type Import = { readonly file: string; readonly area: string; readonly specifier: string };

const scanned = codeFiles.filter((file) => !isOutside(file));
const imports: readonly Import[] = scanned.flatMap((file) => importsOf(file).map((specifier) => ({ file, area: areaOf(file) ?? '', specifier })));

const forTests = (file: string): boolean => isTest(file) || isTestSupport(file) || /^(conformance|bench|house)\//.test(file);

const complaint = ({ file, specifier }: Import, why: string): string => `${file} imports ${specifier}: ${why}`;

const ownFault = (entry: Import): string | undefined => {
  const target = targetOf(entry.file, entry.specifier);
  if (target.kind !== 'own') return undefined;
  const to = areaOf(target.path);
  if (to === undefined) return complaint(entry, 'it leads to a folder that is not in the table');
  if (isTestSupport(target.path) && !forTests(entry.file)) return complaint(entry, 'only tests may use it');
  return mayImport(entry.area, to, forTests(entry.file)) ? undefined : complaint(entry, `${entry.area} may not import ${to}`);
};

const nodeFault = (entry: Import): string | undefined => {
  const portable = areas[entry.area]?.portable === true && !forTests(entry.file);
  return portable && targetOf(entry.file, entry.specifier).kind === 'node' ? complaint(entry, `${entry.area} also runs where Node is not`) : undefined;
};

const manifestOf = (file: string): Manifest | undefined => {
  const folder = file.startsWith('packages/') ? file.split('/').slice(0, 2).join('/') : file.split('/')[0];
  return manifests.get(`${folder}/package.json`);
};

const packageFault = (entry: Import): string | undefined => {
  const target = targetOf(entry.file, entry.specifier);
  if (target.kind !== 'package') return undefined;
  const development = forTests(entry.file);
  const only = areas[entry.area]?.packages;
  if (only && !isTest(entry.file) && !(isTestSupport(entry.file) && entry.area !== 'core/testing') && !only.includes(target.name))
    return complaint(entry, `${entry.area} may only use [${only.join(', ')}]`);
  const own = manifestOf(entry.file);
  const declared = {
    ...own?.dependencies,
    ...own?.peerDependencies,
    ...own?.optionalDependencies,
    ...(development ? { ...own?.devDependencies, ...manifests.get('package.json')?.devDependencies } : {}),
  };
  return target.name in declared ? undefined : complaint(entry, 'the package.json beside it does not name that package');
};

const faults = (check: (entry: Import) => string | undefined): readonly string[] => imports.map(check).filter((fault) => fault !== undefined);

describe('imports', () => {
  it('were scanned, all of them', () => {
    const count = (beginning: string): number => scanned.filter((file) => file.startsWith(beginning)).length;
    expect(count('packages/core/src/')).toBeGreaterThanOrEqual(25);
    expect(count('packages/server/src/')).toBeGreaterThanOrEqual(6);
    expect(count('house/')).toBeGreaterThanOrEqual(8);
    expect(imports.length).toBeGreaterThanOrEqual(scanned.length);
    for (const path of manifests.keys()) {
      const folder = path.replace(/package\.json$/, '');
      if (folder !== '') expect(count(folder), `code in ${folder}`).toBeGreaterThan(0);
    }
  });

  it('come from folders that are in the table', () => {
    expect(scanned.filter((file) => areaOf(file) === undefined)).toEqual([]);
  });

  it('of our own files follow the table', () => {
    expect(faults(ownFault)).toEqual([]);
  });

  it('of Node stay out of what runs in a browser', () => {
    expect(faults(nodeFault)).toEqual([]);
  });

  it('of other packages are declared, and allowed in their area', () => {
    expect(faults(packageFault)).toEqual([]);
  });

  it('of the built-in modules say node:', async () => {
    const { builtinModules } = await import('node:module');
    const bare = imports.filter((entry) => builtinModules.includes(entry.specifier) && !entry.specifier.startsWith('node:'));
    expect(bare.map((entry) => complaint(entry, 'write node: before it'))).toEqual([]);
  });
});

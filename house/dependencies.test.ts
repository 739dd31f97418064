/** What is installed is what was tested: exact versions, and a lock file that does not say where from. */
import { describe, expect, it } from 'vitest';
import { manifests, read } from './repository.ts';

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

type Locked = { readonly resolved?: string; readonly link?: boolean; readonly integrity?: string; readonly inBundle?: boolean };
const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };

describe('dependencies', () => {
  it.each([...manifests.keys()])('of %s are pinned', (path) => {
    const { dependencies, devDependencies, optionalDependencies } = manifests.get(path) ?? {};
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  it('have one version each', () => {
    const wanted = new Map<string, Set<string>>();
    for (const { dependencies, devDependencies, optionalDependencies } of manifests.values()) {
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
        wanted.set(name, (wanted.get(name) ?? new Set()).add(version));
      }
    }
    expect([...wanted].filter(([, versions]) => versions.size > 1).map(([name, versions]) => `${name}: ${[...versions].join(', ')}`)).toEqual([]);
  });
});

describe('the lock file', () => {
  const entries = Object.entries(lock.packages);

  it('names no place to fetch from', () => {
    expect(entries.length).toBeGreaterThan(50);
    expect(entries.filter(([, entry]) => entry.resolved !== undefined && entry.link !== true).map(([name]) => name)).toEqual([]);
    expect(read('package-lock.json')).not.toMatch(/"resolved": "[a-z+]+:/);
  });

  it('knows the content of every package', () => {
    // A bundled package comes inside another one, whose integrity covers it.
    const ours = (name: string, entry: Locked): boolean => !name.includes('node_modules/') || entry.link === true || entry.inBundle === true;
    expect(entries.filter(([name, entry]) => !ours(name, entry) && entry.integrity === undefined).map(([name]) => name)).toEqual([]);
  });
});

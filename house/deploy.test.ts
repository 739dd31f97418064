/** What stands in deploy/ fits the server: its limits, its settings, its folders. */
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { packageBytes } from '@turnkeeper/core/protocol/wire/minitools';
import { describe, expect, it } from 'vitest';
import { read } from './repository.ts';

const nginx = read('deploy/nginx.conf').replace(/#.*$/gm, '');
const compose = read('deploy/compose.yaml').replace(/^\s*#.*$/gm, '');
const image = read('deploy/Containerfile').replace(/^\s*#.*$/gm, '');
const unit = read('deploy/turnkeeper.service').replace(/^\s*#.*$/gm, '');
const config = read('packages/server/src/config.ts');

describe('deploy/nginx.conf', () => {
  const bytesOf = (block: string): number | undefined => {
    const [, number, unitName] = /client_max_body_size (\d+)m?(m|k|g)?;/.exec(block) ?? [];
    expect(unitName, 'whole megabytes').toBeUndefined();
    return number === undefined ? undefined : Number(number) * 1024 * 1024;
  };
  const locations = new Map(
    [...nginx.matchAll(/location (= )?(\S+) \{([^}]*)\}/g)].map(([, exact, path = '', block = '']) => [`${exact ?? ''}${path}`, block]),
  );
  const outside = nginx.replace(/location [^{]*\{[^}]*\}/g, '');

  it('lets through what the server takes, and no more', () => {
    expect(bytesOf(outside)).toBe(Math.max(limits.fileBytes, limits.bodyBytes));
    expect(bytesOf(locations.get('= /api/v1/agent-sessions/import') ?? '')).toBe(limits.archiveBytes);
    expect(bytesOf(locations.get('= /api/v1/minitools/upload') ?? '')).toBe(packageBytes);
  });

  it('names routes that there are, and passes all of them on', () => {
    const routes = read('docs/protocol/routes.md');
    for (const path of ['/api/v1/agent-sessions/import', '/api/v1/minitools/upload']) expect(routes).toContain(path);
    for (const [path, block] of locations) expect(block, path).toContain('proxy_pass http://turnkeeper;');
    // In a location such a line would take the place of all of those outside.
    for (const [path, block] of locations) expect(block, path).not.toContain('proxy_set_header');
  });

  it('waits longer than answers are held, and holds nothing back', () => {
    expect(Number(/proxy_read_timeout (\d+)s;/.exec(outside)?.[1])).toBeGreaterThan(limits.waitSeconds);
    expect(outside).toContain('proxy_buffering off;');
  });

  it('says whose request it is in place of what the client said', () => {
    expect(outside).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
    expect(outside).toContain('proxy_set_header X-Forwarded-Proto $scheme;');
  });

  it('leads to the nodes of compose.yaml, on the port of the image', () => {
    const port = /\bPORT=(\d+)/.exec(image)?.[1];
    expect(image).toContain(`EXPOSE ${port}`);
    const nodes = [...compose.matchAll(/^ {2}(\S+):\n {4}<<: \*node$/gm)].map(([, name]) => `${name}:${port}`);
    expect([...nginx.matchAll(/^\s*server (\S+) /gm)].map(([, address]) => address)).toEqual(nodes);
    expect(nodes).toHaveLength(2);
  });
});

describe('the settings in deploy/', () => {
  /** Those of the nodes: the database has its own. */
  const [nodes = ''] = compose.split(/^services:$/m);
  const given = [
    ...[...nodes.matchAll(/^ {4}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name ?? ''),
    ...[...(/^ENV (.*)$/m.exec(image)?.[1] ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name ?? ''),
  ];

  it('are settings of the server', () => {
    expect(given.length).toBeGreaterThan(8);
    // Those of files are read by the rest of their name.
    const known = (name: string): boolean => config.includes(`'${name}'`) || (name.startsWith('TURNKEEPER_FILES_') && config.includes(`('${name.slice(17)}')`));
    expect(given.filter((name) => !known(name))).toEqual([]);
  });

  it('give every node the same secret key, the same files and the same mini-tools', () => {
    expect(given).toContain('TURNKEEPER_SECRET_KEY');
    const files = /TURNKEEPER_FILES_FOLDER: (\S+)/.exec(nodes)?.[1];
    const data = /TURNKEEPER_DATA_DIR=(\S+)/.exec(image)?.[1];
    const mounts = new Map([...nodes.matchAll(/^ {4}- ([a-z]+):(\S+)$/gm)].map(([, name, path]) => [path, name]));
    expect([...mounts.keys()]).toEqual([files, `${data}/minitools`]);
    const declared = compose.slice(compose.search(/^volumes:$/m));
    for (const name of mounts.values()) expect(declared).toContain(`\n  ${name}:`);
    // Else a new volume would belong to root, and the server could not write it.
    const made = /install -d -o node -g node -m 700 (.*)$/m.exec(image)?.[1]?.split(' ') ?? [];
    expect(made).toEqual(expect.arrayContaining([data, files, `${data}/minitools`]));
    expect(read('packages/server/src/minitools/install/install.ts')).toContain("join(dataFolder, 'minitools')");
  });

  it('trust the proxy, by the address that it has, and nobody else', () => {
    const proxy = compose.slice(compose.search(/^ {2}proxy:$/m));
    const address = /ipv4_address: (\S+)/.exec(proxy)?.[1] ?? '';
    expect(/TURNKEEPER_TRUSTED_PROXIES: (\S+)/.exec(nodes)?.[1]).toBe(address);
    expect(/subnet: (\S+)\.0\/24/.exec(compose)?.[1]).toBe(address.split('.').slice(0, 3).join('.'));
  });

  it('leave the server time to drain', () => {
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])).toBeGreaterThanOrEqual(30);
    expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThanOrEqual(30);
  });
});

describe('.dockerignore', () => {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  it('keeps the default data folder out of the image', () => {
    const folder = /\?\? \(?env\['TURNKEEPER_DATA_DIR'\] \|\| '\.\/([^']+)'|TURNKEEPER_DATA_DIR'\] \|\| '\.\/([^']+)'/.exec(config);
    const name = folder?.[1] ?? folder?.[2];
    expect(name).toBeDefined();
    expect(ignored).toContain(`**/${name}`);
  });

  it('keeps out git’s own folder, and all that git ignores', () => {
    expect(ignored).toContain('.git');
    const wanted = read('.gitignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/\/$/, ''))
      .map((line) => (line.includes('/') ? line : `**/${line}`));
    expect(wanted.filter((line) => !ignored.includes(line))).toEqual([]);
  });
});

/** How packages come to where they run from, and which do not. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { meets } from '../api-level.ts';
import { checkTarball } from './check-tarball.ts';
import { filesOf } from './copy-package.ts';
import { placeMinitool, prune } from './install.ts';
import { isPackageSpec } from './npm.ts';

let folder = '';
let data = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'install-')));
  data = join(folder, 'data');
  mkdirSync(data);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const npm = () => ({
  clock: systemClock,
  environment: { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_offline: 'true', npm_config_cache: join(folder, 'cache') },
});
const manifest = (more: object = {}): string => JSON.stringify({ manifestVersion: 1, id: 'thing', name: 'Thing', main: 'main.js', ...more });
const write = (files: Readonly<Record<string, string>>): string => {
  const at = join(folder, 'package');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  return at;
};
const place = (path: string, linked = false) => placeMinitool(data, { kind: 'folder', path, linked }, npm());
const refused = async (placed: Promise<unknown>): Promise<TurnkeeperError> => {
  const error = await placed.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TurnkeeperError)) throw new Error(`not refused: ${String(error)}`);
  return error;
};
const bytesOf = async function* (path: string) {
  yield readFileSync(path);
};

describe('a folder', () => {
  it('is copied without what git keeps, with what it uses, and its links go on leading inside', async () => {
    const from = write({ 'finch.json': manifest(), 'package.json': '{"version":"1.2.3"}', 'main.js': '', '.git/HEAD': '', 'node_modules/dep/index.js': 'x' });
    mkdirSync(join(from, 'node_modules', '.bin'));
    symlinkSync(join(from, 'node_modules', 'dep', 'index.js'), join(from, 'node_modules', '.bin', 'dep'));
    const placed = await place(from);
    expect(placed).toMatchObject({ id: 'thing', version: '1.2.3', source: `folder:${from}`, folder: join(data, 'minitools', 'thing', '1.2.3-1', 'package') });
    expect(existsSync(join(placed.folder, '.git'))).toBe(false);
    expect(lstatSync(join(placed.folder, 'node_modules', '.bin', 'dep')).isSymbolicLink()).toBe(true);
    expect(realpathSync(join(placed.folder, 'node_modules', '.bin', 'dep'))).toBe(join(placed.folder, 'node_modules', 'dep', 'index.js'));
    expect((await place(from)).folder).toContain('1.2.3-2');
    await prune(data, 'thing', [placed.folder]);
    expect(readdirSync(join(data, 'minitools', 'thing'))).toEqual(['1.2.3-1']);
  });

  it('that is linked stays where it is', async () => {
    const from = write({ 'finch.json': manifest(), 'main.js': '' });
    expect(await place(from, true)).toMatchObject({ folder: from, source: `link:${from}` });
  });

  it('IN1: is refused with every fault of its manifest, and leaves nothing behind', async () => {
    const error = await refused(place(write({ 'finch.json': JSON.stringify({ manifestVersion: 2, id: 'No Good', permissions: { network: 'yes' } }) })));
    expect(error.code).toBe('validation_failed');
    const pointers = (error.details['errors'] as readonly { readonly pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(['/manifestVersion', '/id', '/name', '/permissions/network']));
    expect(readdirSync(join(data, 'minitools'))).toEqual([]);
  });

  it('is refused without its entry, and where it wants a newer application', async () => {
    const error = await refused(place(write({ 'finch.json': manifest({ main: 'dist/index.js', minVersion: '2.0.0' }) })));
    expect((error.details['errors'] as readonly { readonly pointer: string }[]).map(({ pointer }) => pointer)).toEqual(['/minVersion', '/main']);
    expect([meets('1.6.0'), meets('1.99.0'), meets('1.99.1'), meets('2.0.0'), meets('0.9.10')]).toEqual([true, true, false, false, true]);
  });

  it.each(['/etc', '../outside', '../../../../etc/passwd'])('CP1: with a link to %s is refused', async (target) => {
    const from = write({ 'finch.json': manifest(), 'main.js': '' });
    symlinkSync(target, join(from, 'link'));
    expect((await refused(place(from))).message).toContain('leaves the package');
    expect(readdirSync(join(data, 'minitools'))).toEqual([]);
  });

  it('CP2: has a limit of files and of bytes', async () => {
    const from = write({ a: 'xxxx', b: 'xxxx', c: 'xxxx' });
    await expect(filesOf(from, { files: 2, bytes: 100 })).rejects.toThrow('more than 2 files');
    await expect(filesOf(from, { files: 10, bytes: 11 })).rejects.toThrow('more than');
    expect(await filesOf(from, { files: 3, bytes: 12 })).toHaveLength(3);
  });

  it('must be there, by an absolute path', async () => {
    for (const path of ['relative', join(folder, 'nowhere')]) expect((await refused(place(path))).code).toBe('invalid_request');
  });
});

describe('a packed package', () => {
  it('IN2: is unpacked, and none of its scripts run', async () => {
    const pack = {
      name: '@me/thing',
      version: '2.0.0',
      finch: JSON.parse(manifest()) as object,
      scripts: { postinstall: `touch ${folder}/ran`, preinstall: `touch ${folder}/ran` },
    };
    const from = write({ 'package.json': JSON.stringify(pack), 'main.js': 'export const activate = () => {};' });
    const tarball = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: from, env: npm().environment })
      .toString()
      .trim();
    const placed = await placeMinitool(data, { kind: 'file', name: 'thing.tgz', bytes: bytesOf(join(folder, tarball)) }, npm());
    expect(placed).toMatchObject({
      id: 'thing',
      version: '2.0.0',
      source: 'file:thing.tgz',
      folder: join(data, 'minitools', 'thing', '2.0.0-1', 'node_modules', '@me', 'thing'),
    });
    expect(existsSync(join(placed.folder, 'main.js'))).toBe(true);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('says what is missing where npm is', async () => {
    const path = join(folder, 'x.tgz');
    writeFileSync(path, tarballOf([{ name: 'package/package.json', body: '{}' }]));
    const error = await refused(placeMinitool(data, { kind: 'file', name: 'x.tgz', bytes: bytesOf(path) }, { ...npm(), environment: { PATH: folder } }));
    expect(error).toMatchObject({ code: 'not_supported', message: expect.stringContaining('npm was not found') });
  });

  it.each([
    ['one that climbs out', { name: 'package/../../evil' }, /leaves the package/],
    ['an absolute one', { name: '/etc/evil' }, /leaves the package/],
    ['a link', { name: 'package/link', type: '2' }, /neither a file nor a folder/],
    ['a device', { name: 'package/device', type: '3' }, /neither a file nor a folder/],
    ['a pax path that climbs out', { name: 'package/x', type: 'x', body: '26 path=package/../../evil\n' }, /leaves the package/],
    ['a pax link', { name: 'package/x', type: 'x', body: '22 linkpath=/etc/passwd\n' }, /link/],
    ['a pax size', { name: 'package/x', type: 'x', body: '18 size=99999999999\n' }, /8 GB/],
    ['a long name that climbs out', { name: '././@LongLink', type: 'L', body: '../../evil\0' }, /leaves the package/],
    ['too many bytes', { name: 'package/big', size: 999_999_999 }, /more than/],
  ])('TB1: with %s is refused before it is unpacked', async (_, entry, why) => {
    const path = join(folder, 'bad.tgz');
    writeFileSync(path, tarballOf([{ name: 'package/package.json', body: '{}' }, entry]));
    await expect(checkTarball(path)).rejects.toThrow(why);
  });

  it('TB2: of which something stands behind its end is refused: npm would unpack that, too', async () => {
    const path = join(folder, 'two.tgz');
    const plain = (body: string): Buffer => gunzipSync(tarballOf([{ name: 'package/package.json', body }]));
    writeFileSync(path, gzipSync(Buffer.concat([plain('{}'), plain('{"a":1}')])));
    await expect(checkTarball(path)).rejects.toThrow(/follows its end/);
  });

  it('TB2: that is damaged or no tarball is refused', async () => {
    const path = join(folder, 'bad.tgz');
    for (const bytes of [Buffer.from('hello'), gzipSync(Buffer.alloc(1_024, 1)), gzipSync(Buffer.alloc(0))]) {
      writeFileSync(path, bytes);
      expect((await refused(checkTarball(path))).code).toBe('validation_failed');
    }
  });
});

it.each([
  ['thing', true],
  ['@me/thing@1.2.3', true],
  ['thing@^1.0.0', true],
  ['--registry=http://evil', false],
  ['../folder', false],
  ['git+https://example.com/a.git', false],
  ['file:/etc', false],
  ['https://example.com/a.tgz', false],
  ['a b', false],
])('%s is a name for npm: %s', (spec, is) => {
  expect(isPackageSpec(spec)).toBe(is);
});

type Entry = { readonly name: string; readonly type?: string; readonly body?: string; readonly size?: number };

/** A tarball with these entries, whatever they are. */
const tarballOf = (entries: readonly Entry[]): Buffer =>
  gzipSync(
    Buffer.concat([
      ...entries.flatMap(({ name, type = '0', body = '', size = Buffer.byteLength(body) }) => {
        const header = Buffer.alloc(512);
        header.write(name, 0);
        header.write('0000644\0', 100);
        header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
        header.write('        ', 148);
        header.write(type, 156);
        header.write('ustar\0' + '00', 257);
        const sum = header.reduce((total, byte) => total + byte, 0);
        header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
        return [header, Buffer.concat([Buffer.from(body), Buffer.alloc((512 - (Buffer.byteLength(body) % 512)) % 512)])];
      }),
      Buffer.alloc(1_024),
    ]),
  );

/** Where files are kept, as the configuration says it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filesAreApart, listConfig, readConfig } from './config.ts';

const data = mkdtempSync(join(tmpdir(), 'turnkeeper-config-'));
afterAll(() => rmSync(data, { recursive: true }));
const withFile = (files: unknown): string => {
  const folder = mkdtempSync(join(data, 'with-'));
  writeFileSync(join(folder, 'turnkeeper.config.json'), JSON.stringify({ files }));
  return folder;
};
const s3 = {
  TURNKEEPER_FILES_S3_BUCKET: 'files',
  TURNKEEPER_FILES_S3_ENDPOINT: 'https://s3.example.com',
  TURNKEEPER_FILES_S3_ACCESS_KEY_ID: 'AKID',
  TURNKEEPER_FILES_S3_SECRET_ACCESS_KEY: 'very-secret',
};

test('a folder in the data folder, another one, or S3-compatible storage', () => {
  expect(readConfig({ data }, {}).files).toEqual({ type: 'folder', folder: join(data, 'files'), shared: false });
  expect(readConfig({ data }, { TURNKEEPER_FILES_FOLDER: '/mnt/all' }).files).toEqual({ type: 'folder', folder: '/mnt/all', shared: true });
  const folder = withFile({ type: 'folder', folder: 'near' });
  expect(readConfig({ data: folder }, {}).files).toEqual({ type: 'folder', folder: join(folder, 'near'), shared: true });
  expect(readConfig({ data }, { ...s3, TURNKEEPER_FILES_S3_PREFIX: '/a/b/' }).files).toEqual({
    type: 's3',
    endpoint: 'https://s3.example.com',
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'AKID',
    secretAccessKey: 'very-secret',
    prefix: 'a/b/',
    scratchFolder: join(data, 'files', 'incoming'),
  });
  const inFile = withFile({ type: 's3', endpoint: 'http://minio:9000', bucket: 'b', region: 'eu-1', accessKeyId: 'A', secretAccessKey: 'S' });
  expect(readConfig({ data: inFile }, { TURNKEEPER_FILES_S3_SECRET_ACCESS_KEY: 'other' }).files).toMatchObject({
    endpoint: 'http://minio:9000',
    region: 'eu-1',
    prefix: '',
    secretAccessKey: 'other',
  });
});

test('every fault is named, and no secret', () => {
  const faults = (env: Record<string, string>, folder = data): string => {
    try {
      readConfig({ data: folder }, env);
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const partly = faults({ TURNKEEPER_FILES_S3_BUCKET: 'b', TURNKEEPER_FILES_S3_ENDPOINT: 'ftp://x', TURNKEEPER_FILES_S3_SECRET_ACCESS_KEY: 'very-secret' });
  expect(partly).toContain('TURNKEEPER_FILES_S3_ACCESS_KEY_ID');
  expect(partly).toContain('TURNKEEPER_FILES_S3_ENDPOINT / files.endpoint: a URL');
  expect(partly).not.toContain('very-secret');
  expect(faults({}, withFile({ type: 'tape' }))).toContain('files');
  expect(JSON.stringify(listConfig({ data }, s3))).not.toContain('very-secret');
  expect(listConfig({ data }, s3)).toContainEqual(
    expect.objectContaining({ name: 'files', value: 'bucket files at https://s3.example.com/', source: 'environment' }),
  );
});

test('nodes on one database whose files are apart are told so', () => {
  const database = 'postgres://db/x';
  const apart = readConfig({ data, database }, {});
  expect(filesAreApart(apart)).toBe(true);
  expect(listConfig({ data, database }, {}).find(({ name }) => name === 'files')?.value).toContain('this node alone');
  for (const env of [s3, { TURNKEEPER_FILES_FOLDER: '/mnt/all' }]) expect(filesAreApart(readConfig({ data, database }, env))).toBe(false);
  expect(filesAreApart(readConfig({ data }, {}))).toBe(false);
});

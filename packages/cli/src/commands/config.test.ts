import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../run-cli.ts';
import { createFakeIo } from '../testing/fake-io.ts';

const run = async (args: string[], env: Record<string, string> = {}) => {
  const { io, out, err } = createFakeIo(env);
  return { code: await runCli(['config', ...args], io), out: out.text, err: err.text };
};

test('config says what is in force and why, and masks secrets', async () => {
  const data = mkdtempSync(join(tmpdir(), 'turnkeeper-config-'));
  try {
    writeFileSync(join(data, 'turnkeeper.config.json'), JSON.stringify({ slots: 7 }));
    const env = { TURNKEEPER_DATA_DIR: data, TURNKEEPER_ADMIN_TOKEN: 'very-secret-admin-token', OPENAI_API_KEY: 'sk-secret' };
    const { code, out } = await run(['--json', '--port', '5000'], env);
    expect(code).toBe(0);
    const settings = JSON.parse(out).settings as { name: string; value: string; source: string }[];
    const of = (name: string) => settings.find((setting) => setting.name === name);
    expect(of('port')).toMatchObject({ value: '5000', source: 'flag' });
    expect(of('data folder')).toMatchObject({ value: data, source: 'environment' });
    expect(of('slots')).toMatchObject({ value: '7', source: 'file' });
    expect(of('host')).toMatchObject({ value: '127.0.0.1', source: 'default' });
    expect(of('demo')).toMatchObject({ value: 'on', source: 'default' });
    expect((await run(['--no-demo', '--json'], env)).out).toMatch(/"name":"demo","value":"off","source":"flag"/);
    const shown = await run([], env);
    expect(JSON.parse(out).running).toBeNull();
    expect(shown.err).toBe('');
    // A server that runs already is named: it goes by what it was started with.
    writeFileSync(join(data, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:4999', pid: process.pid }));
    expect((await run([], env)).err).toContain(`A server runs on ${data}: http://127.0.0.1:4999 (process ${process.pid}).`);
    expect(JSON.parse((await run(['--json'], env)).out).running).toEqual({ url: 'http://127.0.0.1:4999', pid: process.pid });
    expect(shown.out).toMatch(/^port +4747 +default +--port, PORT$/m);
    expect(shown.out + out).not.toMatch(/very-secret|sk-secret/);
  } finally {
    rmSync(data, { recursive: true });
  }
});

test('a wrong configuration names every fault', async () => {
  const { code, err } = await run(['--port', 'none'], { TURNKEEPER_ADMIN_TOKEN: 'short' });
  expect(code).toBe(2);
  expect(err).toMatch(/--port[\s\S]*TURNKEEPER_ADMIN_TOKEN|TURNKEEPER_ADMIN_TOKEN[\s\S]*--port/);
});

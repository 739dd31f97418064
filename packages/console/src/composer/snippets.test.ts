import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlTurn, shellQuote, terminalCommand } from './snippets.ts';

test('a shell reads back exactly what was quoted', () => {
  const text = `it's "quoted" $HOME \`id\` \\ 你好\nsecond line`;
  expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
});

test('commands carry the server, the token and the session', () => {
  const access = { origin: 'http://127.0.0.1:4747', token: 'tok' };
  const curl = curlTurn(access, 'ses_1', { message: "it's" });
  const seen = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${curl}`], { encoding: 'utf8' }).split('\n');
  expect(seen).toContain('http://127.0.0.1:4747/api/v1/agent-sessions/ses_1/turns');
  expect(seen).toContain('Authorization: Bearer tok');
  expect(seen).toContain(`{"message":"it's"}`);
  expect(curlTurn(access, 'ses_1', { input: { amount: 200 } })).toContain(`-d '{"input":{"amount":200}}'`);
  expect(terminalCommand(access, 'chat ses_1')).toBe("TURNKEEPER_URL='http://127.0.0.1:4747' TURNKEEPER_TOKEN='tok' npx turnkeeper chat ses_1");
});

import { expect, test } from 'vitest';
import { createLogger, type LogContext } from './open-telemetry.ts';
import { redactLine } from './redaction.ts';

/** What is logged, as it is written. */
const logged = (log: (logger: ReturnType<typeof createLogger>) => void, context: LogContext = {}): readonly Record<string, unknown>[] => {
  const lines: string[] = [];
  log(createLogger('debug', context, { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

test('TR1: no secret is written, under whatever name and in whatever text it comes, and each line stays JSON', () => {
  const secret = 'hunter2hunter2hunter2';
  const lines = logged((logger) => {
    logger.info({ token: secret, apiKey: secret, nested: { password: secret, Authorization: `Bearer ${secret}`, 'set-cookie': secret } }, 'members');
    logger.info({ body: JSON.stringify({ token: secret, quoted: 'a "b"', client_secret: secret }) }, 'JSON in a string');
    logger.info({ url: `/x?a=1&token=${secret}&b=2`, to: `https://me:${secret}@host/path` }, `Authorization: Bearer ${secret} was sent`);
    logger.error({ err: new Error(`refused: password=${secret} at postgres://me:${secret}@db/x`) }, 'an error');
    logger.error({ err: Object.assign(new Error('request failed'), { config: { headers: { 'x-api-key': secret } } }) }, 'with what hangs on it');
    logger.warn(`tk_${secret}_and_more, tkk_${secret}, sk-${secret}`);
  });
  expect(lines).toHaveLength(6);
  expect(JSON.stringify(lines)).not.toContain('hunter');
  expect(lines[0]).toMatchObject({ token: '[redacted]', msg: 'members' });
  expect(JSON.parse(String(lines[1]?.['body']))).toEqual({ token: '[redacted]', quoted: 'a "b"', client_secret: '[redacted]' });
  expect(lines[2]).toMatchObject({ url: '/x?a=1&token=[redacted]&b=2', to: 'https://[redacted]@host/path' });
});

test('what is no secret stays', () => {
  const line = '{"level":30,"session_id":"ses_0198","turn_id":"turn_0198","tokens":12,"msg":"http://127.0.0.1:4747/a?b=c, 3 tokens were counted"}';
  expect(redactLine(line)).toBe(line);
});

test('a long line costs no more than its length', () => {
  // By the square of it this would take minutes.
  const line = `{"data":"${'token'.repeat(20_000)}","more":"${'a.b-'.repeat(20_000)}"}`;
  expect(redactLine(line)).toBe(line);
});

test('each line names the node, unless it is about another one', () => {
  const lines = logged(
    (logger) => {
      logger.info('one');
      logger.child({ request_id: 'r' }).info({ node: 'node_0' }, 'two');
    },
    { node: () => 'node_1' },
  );
  expect(lines.map(({ node }) => node)).toEqual(['node_1', 'node_0']);
});

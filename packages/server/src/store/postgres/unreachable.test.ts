import { expect, test } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { freePort } from '../../testing/harness/free-port.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const failure = (url: string): Promise<Error> =>
  openPostgresStore({ url, clock: systemClock }).then(
    () => new Error('it opened'),
    (error: Error) => error,
  );

test.each(['127.0.0.1', 'localhost'])('a database that cannot be reached at %s is named with host, port and cause, without the password', async (host) => {
  const port = await freePort();
  const error = await failure(`postgres://ann:secret@${host}:${port}/turnkeeper`);
  expect(error).toMatchObject({ code: 'storage_unavailable', details: { host, port } });
  expect(error.message).toMatch(new RegExp(`${host}:${port} cannot be used: .*ECONNREFUSED`));
  expect(error.message).not.toContain('secret');
});

test('a URL that cannot be read is not repeated', async () => {
  const error = await failure('postgres://ann:secret@host:notaport/turnkeeper');
  expect(error).toMatchObject({ code: 'storage_unavailable', message: expect.stringContaining('cannot be read') as unknown });
  expect(error.cause).toBeUndefined();
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('secret');
});

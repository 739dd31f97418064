/**
 * The same suite on the PostgreSQL that npm brings (18), where contract.postgres.test.ts runs on the machine's (15, say).
 * One of them alone is not enough (X1).
 */
import { expect, it } from 'vitest';
import { postgresSources } from '../../testing/private-postgres.ts';
import { describePostgresContract } from '../../testing/store-contract/postgres-contract.ts';

const [first, second] = postgresSources();

if (second) describePostgresContract(second);
else
  it('runs on a second release of PostgreSQL', () =>
    expect.unreachable(
      first === 'machine'
        ? 'Only the machine’s PostgreSQL is here: install the packages of this repository with all that is optional (npm ci).'
        : 'The machine has no PostgreSQL of its own, 15 or newer: install Debian’s postgresql, as .ci/run does.',
    ));

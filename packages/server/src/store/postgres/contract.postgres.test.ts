/** PostgreSQL passes the suite that every store passes. */
import { postgresSources } from '../../testing/private-postgres.ts';
import { describePostgresContract } from '../../testing/store-contract/postgres-contract.ts';

describePostgresContract(postgresSources()[0]);

/** The store itself, without a server: `migrate`, `backup`. A backup is put back by `restore --from` (session-commands.ts). */
import { backup } from '../commands/backup.ts';
import { migrate } from '../commands/migrate.ts';
import { type Cli, examples } from './cli.ts';

export const addStoreCommands = ({ io, program, done }: Cli): void => {
  const moving = program
    .command('migrate')
    .description('move a stopped server from its data folder to PostgreSQL')
    .requiredOption('--from <folder>', 'its data folder, which stays as it is')
    .requiredOption('--to <url>', 'an empty database: postgres://user:password@host:port/database')
    .option('--resume', 'go on with a copy that was broken off')
    .option('--json', 'machine-readable output')
    .action(async (options) => done(await migrate(io, options)));
  examples(moving, ['turnkeeper migrate --from /var/lib/turnkeeper --to postgres://turnkeeper@db.internal/turnkeeper']);

  const backing = program
    .command('backup')
    .description('write all that is stored into one file, while servers run')
    .requiredOption('--to <file>', 'the file; one that is there is not written over')
    .option('--data <folder>', 'data folder (TURNKEEPER_DATA_DIR, ./.turnkeeper)')
    .option('--database <url>', 'PostgreSQL instead of the embedded store (TURNKEEPER_DATABASE_URL)')
    .option('--with-secret-key', 'put the key for secrets in, too: whoever has the file can open them')
    .option('--json', 'machine-readable output')
    .action(async (options) => done(await backup(io, options)));
  examples(backing, [
    'turnkeeper backup --to "/backups/turnkeeper-$(date +%F).db"',
    'turnkeeper restore --from /backups/turnkeeper-2026-05-01.db --data ./new',
  ]);
};

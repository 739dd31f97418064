/** Files: `files`, `upload`, `download`, `artifacts`. */
import { listArtifacts, publishArtifact, removeArtifact } from '../commands/artifacts.ts';
import { download, listFiles, upload } from '../commands/files.ts';
import { type Cli, clientCommand, examples, group, optionalSessionHelp, runner, sessionHelp, withCommon } from './cli.ts';

export const addFileCommands = (cli: Cli): void => {
  const { program } = cli;
  const run = runner(cli);

  clientCommand(program, 'files', 'list the files of a session')
    .argument('[session]', optionalSessionHelp)
    .action((session, options) => run(options, (context) => listFiles(context, session)));

  const uploading = clientCommand(program, 'upload', 'give a session a file, of at most 16 MiB')
    .argument('<file>', 'a file of this machine')
    .argument('[session]', optionalSessionHelp)
    .option('--name <name>', 'what it is called there')
    .option('--type <type>', 'its media type; by default by its name')
    .action((file, session, options) => run(options, (context) => upload(context, file, session, options)));
  examples(uploading, ['turnkeeper upload report.pdf', 'turnkeeper upload data.bin @last --name data.csv --type text/csv']);

  const downloading = clientCommand(program, 'download', 'save a file, or the file of an artifact')
    .argument('<id>', 'of the file or artifact')
    .argument('[session]', optionalSessionHelp)
    .option('--to <path>', 'a file or a folder; by default its own name, here')
    .option('--force', 'write over what is there')
    .action((id, session, options) => run(options, (context) => download(context, id, session, options)));
  examples(downloading, ['turnkeeper download file_0199', 'turnkeeper download art_0199 @last --to result.csv']);

  addArtifactCommands(cli);
};

const addArtifactCommands = (cli: Cli): void => {
  const run = runner(cli);
  const artifacts = group(cli.program, 'artifacts', 'what a session shows as its results').addHelpText(
    'after',
    `\nAlone, or with a session, it lists them. The session: ${optionalSessionHelp}.`,
  );
  withCommon(artifacts.command('ls', { isDefault: true }).description('list what a session shows as its results'))
    .argument('[session]', optionalSessionHelp)
    .action((session, options) => run(options, (context) => listArtifacts(context, session)));
  const publishing = clientCommand(artifacts, 'publish', 'show a file, or something elsewhere, as a result')
    .argument('<session>', sessionHelp)
    .argument('<what>', 'a file of this machine, the id of one of the session, or an https address')
    .option('--name <name>', 'what it is called')
    .option('--type <type>', 'its media type; of a file by default by its name')
    .option('--key <key>', 'idempotency key: the same call again shows it once')
    .action((session, what, options) => run(options, (context) => publishArtifact(context, session, what, options)));
  examples(publishing, ['turnkeeper artifacts publish @last report.pdf', 'turnkeeper artifacts publish @last https://example.com/board --name "The board"']);
  clientCommand(artifacts, 'rm', 'show one no more; its file stays')
    .argument('<session>', sessionHelp)
    .argument('<artifact>', 'id, its unique beginning, or the name')
    .option('-y, --yes', 'do not ask')
    .action((session, artifact, options) => run(options, (context) => removeArtifact(context, session, artifact, options)));
};

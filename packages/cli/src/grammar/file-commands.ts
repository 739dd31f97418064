/** Files: `files`, `upload`, `download`, `artifacts`. */
import { download, listArtifacts, listFiles, upload } from '../commands/files.ts';
import { type Cli, clientCommand, examples, optionalSessionHelp, runner } from './cli.ts';

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

  clientCommand(program, 'artifacts', 'list what a session shows as its results')
    .argument('[session]', optionalSessionHelp)
    .action((session, options) => run(options, (context) => listArtifacts(context, session)));
};

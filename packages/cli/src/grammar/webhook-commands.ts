/** Whom the server tells, and what leaves it: `webhooks`, `export`, `import`. */
import type { Command } from 'commander';
import { exportSession, importSession } from '../commands/export.ts';
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  retryWebhook,
  rotateSecret,
  showDelivery,
  testWebhook,
} from '../commands/webhooks.ts';
import { type Cli, clientCommand, examples, group, optionalSessionHelp, runner, sessionHelp, several } from './cli.ts';

const refHelp = 'id, its unique beginning, or the address';

export const addWebhookCommands = (cli: Cli): void => {
  const run = runner(cli);
  const webhooks = group(cli.program, 'webhooks', 'who is told of what happens in sessions');
  const command = (name: string, description: string, help = optionalSessionHelp): Command =>
    clientCommand(webhooks, name, description)
      .option('--session <session>', help)
      .option('--turn <id>', 'of one turn of the session')
      .option('--app <app>', 'of all sessions of an application');
  command('ls', 'list webhooks').action((options) => run(options, (context) => listWebhooks(context, options)));
  const adding = command('add', 'tell an address of events from now on, and print its signing secret once', `${sessionHelp}; this or --app`)
    .argument('<url>', 'https://…')
    .option('--event <type>', 'only these, e.g. turn.completed (repeatable)', several)
    .action((url, options) => run(options, (context) => addWebhook(context, url, options)));
  examples(adding, ['turnkeeper webhooks add https://example.com/hook --app "Support bot" --event turn.completed --event turn.failed']);
  command('deliveries', 'what was sent, the newest first')
    .argument('<webhook>', refHelp)
    .action((webhook, options) => run(options, (context) => listDeliveries(context, webhook, options)));
  command('delivery', 'one delivery: each request that was sent, with its signatures, and what came of it')
    .argument('<webhook>', refHelp)
    .argument('<delivery>', 'id, or its unique beginning; `webhooks deliveries` lists them')
    .action((webhook, delivery, options) => run(options, (context) => showDelivery(context, webhook, delivery, options)));
  command('redeliver', 'send the notice of one delivery once more, now')
    .argument('<webhook>', refHelp)
    .argument('<delivery>', 'id, or its unique beginning; `webhooks deliveries` lists them')
    .action((webhook, delivery, options) => run(options, (context) => redeliver(context, webhook, delivery, options)));
  command('retry', 'go on with one that is paused')
    .argument('<webhook>', refHelp)
    .action((webhook, options) => run(options, (context) => retryWebhook(context, webhook, options)));
  command('test', 'send a test now')
    .argument('<webhook>', refHelp)
    .action((webhook, options) => run(options, (context) => testWebhook(context, webhook, options)));
  command('rotate', 'make a new signing secret; the old one signs too for a day')
    .argument('<webhook>', refHelp)
    .action((webhook, options) => run(options, (context) => rotateSecret(context, webhook, options)));
  command('rm', 'delete a webhook')
    .argument('<webhook>', refHelp)
    .option('-y, --yes', 'do not ask')
    .action((webhook, options) => run(options, (context) => removeWebhook(context, webhook, options)));
  addArchiveCommands(cli);
};

const addArchiveCommands = (cli: Cli): void => {
  const run = runner(cli);
  const exporting = clientCommand(cli.program, 'export', 'every public event of a session, one a line')
    .argument('[session]', optionalSessionHelp)
    .option('-o, --output <file>', 'into a file')
    .option('--force', 'write over what is there')
    .option('--events', 'only the events, without the line that an import needs')
    .action((session, options) => run(options, (context) => exportSession(context, session, options)));
  examples(exporting, ['turnkeeper export @last -o session.ndjson', 'turnkeeper export @last --events | jq .type']);
  clientCommand(cli.program, 'import', 'bring back an exported session, as a record (admins)')
    .argument('<file>', 'made by: turnkeeper export')
    .action((file, options) => run(options, (context) => importSession(context, file)));
};

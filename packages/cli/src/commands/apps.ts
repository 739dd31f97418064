/** `turnkeeper apps`: applications, their limits and members. */
import type { ApplicationMember, ApplicationResource, PatchApplicationRequest } from '@turnkeeper/core/protocol/wire/identity';
import { userNames } from '../actor-name.ts';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { pickApplication, pickUserId } from '../pick-named.ts';
import { programName } from '../program-name.ts';
import { atText } from '../time.ts';

export const listApps = async (context: CommandContext): Promise<ExitCode> => {
  printList(context, await everyItem(context.client.applications.list), {
    none: `No applications. Make one with: ${programName} apps create <name>`,
    row: ({ id, name, status, usage }) => [id, status, `${usage.running} running`, `${usage.unfinished} unfinished`, oneLine(name, 60)],
  });
  return exitCodes.completed;
};

const limit = (value: number | null): string => (value === null ? 'no limit' : `of ${value.toLocaleString('en')}`);

const printApp = async ({ client, json, print, printJson, style }: CommandContext, app: ApplicationResource): Promise<ExitCode> => {
  if (json) {
    printJson(app);
    return exitCodes.completed;
  }
  print(style.bold(oneLine(app.name)));
  const { usage } = app;
  const nameOf = await userNames(client);
  const facts = [
    ['id', app.id],
    ['status', app.status],
    ['running turns', `${usage.running} ${limit(app.maxConcurrent)}`],
    ['unfinished turns', `${usage.unfinished} ${limit(app.maxUnfinished)}`],
    ['tokens', `${usage.tokens.toLocaleString('en')} ${limit(app.tokenBudget)}`],
    ['made', `${atText(app.createdAt)} by ${nameOf(app.ownerId)}`],
    ...app.members.map(({ userId, roles }) => ['member', `${nameOf(userId)}: ${roles.join(', ')}`]),
  ];
  for (const line of tableLines(facts)) print(`  ${line}`);
  return exitCodes.completed;
};

export const showApp = async (context: CommandContext, ref: string | undefined): Promise<ExitCode> =>
  printApp(context, await pickApplication(context.client, ref));

type Limit = number | 'none';
export type AppOptions = {
  readonly description?: string;
  readonly maxConcurrent?: Limit;
  readonly maxUnfinished?: Limit;
  readonly tokenBudget?: Limit;
  /** `user:role,role`. */
  readonly member?: readonly string[];
};
export type SetAppOptions = AppOptions & { readonly name?: string; readonly status?: 'active' | 'disabled'; readonly removeMember?: readonly string[] };

const allRoles = ['viewer', 'operator', 'approver'] as const;

const memberOf = async ({ client }: CommandContext, text: string): Promise<ApplicationMember> => {
  const at = text.lastIndexOf(':');
  const names = text.slice(at + 1).split(',');
  const roles = allRoles.filter((role) => names.includes(role));
  if (at < 1 || roles.length !== names.length) throw new UsageError(`--member "${text}": <user>:<roles>, roles of ${allRoles.join(', ')} with commas between.`);
  return { userId: await pickUserId(client, text.slice(0, at)), roles };
};

const membersOf = async (context: CommandContext, texts: readonly string[] = []): Promise<readonly ApplicationMember[]> =>
  Promise.all(texts.map((text) => memberOf(context, text)));

const limitOf = (value: Limit): number | null => (value === 'none' ? null : value);

const changesOf = ({ description, maxConcurrent, maxUnfinished, tokenBudget }: AppOptions) => ({
  ...(description === undefined ? {} : { description }),
  ...(maxConcurrent === undefined ? {} : { maxConcurrent: limitOf(maxConcurrent) }),
  ...(maxUnfinished === undefined ? {} : { maxUnfinished: limitOf(maxUnfinished) }),
  ...(tokenBudget === undefined ? {} : { tokenBudget: limitOf(tokenBudget) }),
});

export const createApp = async (context: CommandContext, name: string, options: AppOptions): Promise<ExitCode> => {
  const members = [...(await membersOf(context, options.member))];
  const app = await context.client.applications.create({ name, ...changesOf(options), ...(members.length > 0 ? { members } : {}) });
  if (!context.json) context.note(`Its first key: ${programName} keys create --app ${app.id} --scopes invoke,read --target agent:<key>`);
  return printApp(context, app);
};

/** `members` of a change replace the ones before, so they are put together here. */
const newMembers = async (context: CommandContext, app: ApplicationResource, options: SetAppOptions): Promise<Pick<PatchApplicationRequest, 'members'>> => {
  if (!options.member && !options.removeMember) return {};
  const added = await membersOf(context, options.member);
  const removed = await Promise.all((options.removeMember ?? []).map((ref) => pickUserId(context.client, ref)));
  const gone = new Set([...removed, ...added.map(({ userId }) => userId)]);
  return { members: [...app.members.filter(({ userId }) => !gone.has(userId)), ...added] };
};

export const setApp = async (context: CommandContext, ref: string, options: SetAppOptions): Promise<ExitCode> => {
  const { client } = context;
  const app = await pickApplication(client, ref);
  const { name, status } = options;
  const changes = { ...changesOf(options), ...(name ? { name } : {}), ...(status ? { status } : {}), ...(await newMembers(context, app, options)) };
  if (Object.keys(changes).length === 0) throw new UsageError('Nothing to change: see turnkeeper apps set --help');
  return printApp(context, await client.applications.patch(app.id, { version: app.version, ...changes }));
};

/** `turnkeeper artifacts`: what a session shows as its results; more is shown, and taken back. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { ArtifactResource, PublishArtifactRequest } from '@turnkeeper/core/protocol/wire/files';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { localFile, sendFile, sizeText, uploadedText } from '../local-file.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickOne } from '../pick-one.ts';
import { programName } from '../program-name.ts';
import { confirmed } from '../prompt.ts';
import { resolveSession } from '../session-ref.ts';
import { atText } from '../time.ts';

const artifactsOf = ({ client }: CommandContext, sessionId: string): Promise<readonly ArtifactResource[]> =>
  everyItem((page) => client.artifacts.list(sessionId, page));

const row = ({ artifact_id, name, size, uri, created_at }: ArtifactResource) => [
  artifact_id,
  oneLine(name, 60),
  size === undefined ? oneLine(uri ?? '', 80) : sizeText(size),
  atText(created_at),
];

export const listArtifacts = async (context: CommandContext, ref: string | undefined): Promise<ExitCode> => {
  const session = await resolveSession(context.client, ref);
  printList(context, await artifactsOf(context, session.id), { none: 'No artifacts.', row });
  return exitCodes.completed;
};

export type PublishOptions = { readonly name?: string; readonly type?: string; readonly key?: string };

/** What an address is called where nobody says: its last part, else its host. */
const nameOfAddress = ({ pathname, hostname }: URL): string => {
  const last = pathname.split('/').findLast((part) => part !== '');
  try {
    return decodeURIComponent(last ?? hostname);
  } catch {
    return last ?? hostname;
  }
};

const elsewhere = (address: string, { name, type }: PublishOptions): PublishArtifactRequest => {
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:') throw new UsageError(`${address} is no https address: only those are published.`);
  return { name: name ?? nameOfAddress(new URL(address)), uri: address, ...(type === undefined ? {} : { media_type: type }) };
};

/** How what is named becomes an artifact: told before anything is sent. Throws UsageError. */
const readyToPublish = (context: CommandContext, what: string, options: PublishOptions) => {
  const { name, type } = options;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(what)) {
    const artifact = elsewhere(what, options);
    return async (): Promise<PublishArtifactRequest> => artifact;
  }
  if (what.startsWith('file_') && !existsSync(resolve(context.io.cwd, what))) {
    if (type !== undefined) throw new UsageError('A file of the session has its type already.');
    return async (): Promise<PublishArtifactRequest> => ({ file_id: what, ...(name === undefined ? {} : { name }) });
  }
  const file = localFile(context.io, what, options);
  return async (sessionId: string, key: string): Promise<PublishArtifactRequest> => {
    const made = await sendFile(context, sessionId, file, `${key} file`);
    context.note(uploadedText(made));
    return { file_id: made.id, ...(name === undefined ? {} : { name }) };
  };
};

/** A file of this machine, which is uploaded; one that the session has, by its id; or an https address. */
export const publishArtifact = async (context: CommandContext, ref: string, what: string, options: PublishOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const ready = readyToPublish(context, what, options);
  const session = await resolveSession(client, ref);
  const idempotencyKey = options.key ?? freshKey('publish');
  const made = await client.artifacts.publish(session.id, await ready(session.id, idempotencyKey), { idempotencyKey });
  if (json) printJson(made);
  else print(`published ${oneLine(made.name)} as ${made.artifact_id}`);
  return exitCodes.completed;
};

export const removeArtifact = async (context: CommandContext, ref: string, named: string, { yes }: { readonly yes?: boolean }): Promise<ExitCode> => {
  const { client, io, json, note, print, printJson } = context;
  const { id } = await resolveSession(client, ref);
  const artifact = pickOne(await artifactsOf(context, id), named, {
    what: 'artifact',
    id: ({ artifact_id }) => artifact_id,
    name: ({ name }) => name,
    list: `${programName} artifacts ${id}`,
  });
  if (!(await confirmed(io, `Show ${oneLine(artifact.name, 60)} no more? Its file stays.`, yes))) {
    note('Not taken back.');
    return exitCodes.failed;
  }
  await client.artifacts.delete(id, artifact.artifact_id);
  if (json) printJson({ deleted: artifact.artifact_id });
  else print(`deleted ${artifact.artifact_id}`);
  return exitCodes.completed;
};

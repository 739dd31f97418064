/**
 * Built-in tools: the session's files, by path. They lead nowhere else (L7), and may all be run again.
 */
import { isUtf8 } from 'node:buffer';
import { codePoints, firstCodePoints } from '@turnkeeper/core/protocol/content';
import { isTextType } from '@turnkeeper/core/protocol/file-name';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Tool, ToolAnswer } from '../ports/tool.ts';
import type { Workspace } from '../ports/workspace.ts';

const timeoutMs = 60_000;
const path = { type: 'string', description: 'Relative, e.g. "notes/plan.md". What was uploaded is under "uploads/".' } as const;

const said = (text: string, isError = false): ToolAnswer => ({ output: [{ type: 'text', text }], isError });
const noSuchFile = (at: string): ToolAnswer => said(`There is no file ${at}. list_files shows what there is.`, true);

const textIn = (input: JsonObject, member: string): string => {
  const value = input[member];
  if (typeof value !== 'string') throw new Error(`Give \`${member}\` as text.`);
  return value;
};
const optional = (input: JsonObject, member: string): string | undefined => (input[member] === undefined ? undefined : textIn(input, member));
const countIn = (input: JsonObject, member: string, otherwise: number): number => {
  const value = input[member];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;
};

/** The text behind the first `offset` characters, and what there is beyond it. */
const excerpt = (text: string, offset: number): string => {
  const rest = offset === 0 ? text : text.slice(firstCodePoints(text, offset).length);
  const shown = firstCodePoints(rest, limits.readCharacters);
  if (shown.length === rest.length) return shown;
  const end = offset + codePoints(shown);
  return `${shown}\n[cut: ${codePoints(text)} characters in all; go on with offset ${end}]`;
};

const readTool = (workspace: Workspace): Tool => ({
  spec: {
    name: 'read_file',
    description: `Reads a text file of this session, at most ${limits.readCharacters} characters at once.`,
    inputSchema: {
      type: 'object',
      properties: { path, offset: { type: 'integer', minimum: 0, description: 'How many characters to pass over.' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs,
  run: async (input, { sessionId }) => {
    const at = textIn(input, 'path');
    const found = await workspace.read(sessionId, at);
    if (!found) return noSuchFile(at);
    const { file, bytes } = found;
    if (!isUtf8(bytes) || (bytes.includes(0) && !isTextType(file.mediaType)))
      return said(`${file.path} is no text: ${file.mediaType}, ${file.size} bytes. It can be published, but not read.`, true);
    return said(excerpt(Buffer.from(bytes).toString('utf8'), countIn(input, 'offset', 0)));
  },
});

const writeTool = (workspace: Workspace): Tool => ({
  spec: {
    name: 'write_file',
    description: 'Writes a text file of this session, in place of what was at the path.',
    inputSchema: {
      type: 'object',
      properties: { path, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  },
  replaySafe: true,
  readOnly: false,
  timeoutMs,
  run: async (input, { sessionId, signal }) => {
    const content = textIn(input, 'content');
    if (codePoints(content) > limits.writtenCharacters) return said(`At most ${limits.writtenCharacters} characters at once.`, true);
    const { path: at, size } = await workspace.write(sessionId, textIn(input, 'path'), Buffer.from(content.toWellFormed(), 'utf8'), signal);
    return said(`Wrote ${at}, ${size} bytes.`);
  },
});

const listTool = (workspace: Workspace): Tool => ({
  spec: {
    name: 'list_files',
    description: 'Lists the files of this session: those that were uploaded, under "uploads/", and those that were written.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs,
  run: async (_input, { sessionId }) => {
    const files = await workspace.list(sessionId);
    return said(files.length === 0 ? 'There are no files.' : files.map((file) => `${file.path} (${file.mediaType}, ${file.size} bytes)`).join('\n'));
  },
});

const publishTool = (workspace: Workspace): Tool => ({
  spec: {
    name: 'publish_artifact',
    description: 'Shows a file of this session to people as a result, as it is now.',
    inputSchema: {
      type: 'object',
      properties: { path, name: { type: 'string', description: 'What it is called; by default as the file is.' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  replaySafe: true,
  readOnly: false,
  timeoutMs,
  run: async (input, { sessionId, turnId, callId, signal }) => {
    const at = textIn(input, 'path');
    const published = await workspace.publish({ sessionId, turnId, callId, signal }, at, optional(input, 'name'));
    return published ? said(`Published ${published.name}, ${published.size} bytes, as ${published.artifactId}.`) : noSuchFile(at);
  },
});

export const createFileTools = (workspace: Workspace): readonly Tool[] => [
  readTool(workspace),
  writeTool(workspace),
  listTool(workspace),
  publishTool(workspace),
];

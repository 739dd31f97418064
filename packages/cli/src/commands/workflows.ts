/** `turnkeeper workflow`: definitions of workflows: validated, stored, published, drawn. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Client } from '@turnkeeper/client/create-client';
import type { ListedWorkflow, WorkflowResource } from '@turnkeeper/core/protocol/wire/workflow-requests';
import { workflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import { mermaidOf } from '@turnkeeper/core/workflow/mermaid';
import type { CommandContext, Printer } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { namedFaults } from '../named-faults.ts';
import { printList } from '../output/print-list.ts';
import { oneLine, printable } from '../output/printable.ts';
import { pickOne } from '../pick-one.ts';
import { programName } from '../program-name.ts';
import { readSpecFile, specIn } from '../spec-file.ts';
import { ago } from '../time.ts';
import { type FileFault, offlineFaults, type PlacedFault, placed, type WorkflowFile, workflowIn } from '../workflow-file.ts';

/** By id, its beginning, or the name. */
export const pickWorkflow = async ({ workflows }: Client, ref: string): Promise<ListedWorkflow> =>
  pickOne(await everyItem(workflows.list), ref, { what: 'workflow', id: ({ id }) => id, name: ({ name }) => name, list: 'turnkeeper workflow ls' });

const looksLikeFile = (ref: string): boolean => ref.includes('/') || /\.(ya?ml|json)$/i.test(ref);

/** Else it is a workflow. Throws UsageError for what is spelt like a file and is not there. */
export const isFile = ({ io }: Printer, ref: string): boolean => {
  const path = resolve(io.cwd, ref);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) return true;
  if (looksLikeFile(ref)) throw new UsageError(`There is no file ${path}.`);
  return false;
};

export const listWorkflows = async (context: CommandContext): Promise<ExitCode> => {
  printList(context, await everyItem(context.client.workflows.list), {
    none: `No workflows. Make one with: ${programName} workflow create <file>`,
    row: ({ id, name, version, revisions, faults }) => {
      const wrong = faults.filter(({ severity }) => severity === 'error').length;
      return [
        id,
        oneLine(name, 40),
        `draft ${version}`,
        revisions === 0 ? 'not published' : `revision ${revisions}`,
        ...(wrong === 0 ? [] : [`${wrong} fault(s)`]),
      ];
    },
  });
  return exitCodes.completed;
};

export const showWorkflow = async ({ client, json, print, printJson }: CommandContext, ref: string): Promise<ExitCode> => {
  const { id } = await pickWorkflow(client, ref);
  const { workflow } = await client.workflows.get(id);
  if (json) printJson({ workflow });
  else print(printable(JSON.stringify(workflow.draftSpec, null, 2)));
  return exitCodes.completed;
};

export const listRevisions = async (context: CommandContext, ref: string): Promise<ExitCode> => {
  const { id } = await pickWorkflow(context.client, ref);
  printList(context, await everyItem((query) => context.client.workflows.revisions(id, query)), {
    none: `None yet. Publish one with: ${programName} workflow publish ${id}`,
    row: ({ id: revision, n, createdAt, createdBy, spec }) => [
      String(n),
      revision,
      `${ago(Date.now() - createdAt)} ago`,
      oneLine(createdBy, 40),
      `${spec.nodes.length} node(s)`,
    ],
  });
  return exitCodes.completed;
};

const faultText = ({ pointer, code, severity, detail }: FileFault): string => `${severity} ${code} ${pointer || '/'}: ${printable(detail)}`;
const placedText = (path: string, fault: PlacedFault): string =>
  `${path}:${fault.line}:${fault.column} ${fault.code === 'syntax' ? `error ${printable(fault.detail)}` : faultText(fault)}`;
const hasErrors = (faults: readonly FileFault[]): boolean => faults.some(({ severity }) => severity === 'error');

const report = ({ json, print, printJson, note, style }: Printer, faults: readonly FileFault[], text: (fault: never) => string): ExitCode => {
  if (json) printJson({ valid: !hasErrors(faults), faults });
  else for (const fault of faults) print((fault.severity === 'error' ? style.red : style.yellow)(text(fault as never)));
  if (!json && faults.length === 0) note('No faults.');
  return hasErrors(faults) ? exitCodes.failed : exitCodes.completed;
};

type More = (workflow: WorkflowFile) => Promise<readonly FileFault[]>;

/** Without a server: shape, graph and expressions; `more` is asked for the rest. */
const faultsIn = async ({ io }: Printer, path: string, more: More): Promise<readonly PlacedFault[]> => {
  const read = await readSpecFile(io, path);
  if (!read.ok) return read.faults.map(({ detail, position }) => ({ pointer: '', code: 'syntax', severity: 'error', detail, ...position }));
  const workflow = workflowIn(read.file);
  const offline = offlineFaults(workflow.spec);
  const isNew = ({ code, pointer }: FileFault): boolean => !offline.some((known) => known.code === code && known.pointer === pointer);
  return placed(workflow, [...offline, ...(await more(workflow)).filter(isNew)]);
};

export const validateFile = async (printer: Printer, path: string, more: More): Promise<ExitCode> =>
  report(printer, await faultsIn(printer, path, more), (fault: PlacedFault) => placedText(path, fault));

export const validateWorkflow = async (context: CommandContext, ref: string): Promise<ExitCode> => {
  if (isFile(context, ref)) return validateFile(context, ref, (workflow) => namedFaults(context.client, workflow));
  const { id } = await pickWorkflow(context.client, ref);
  return report(context, (await context.client.workflows.validate(id)).faults, faultText);
};

export type CreateWorkflowOptions = { readonly name?: string; readonly space?: string };

/** Makes it, or changes the draft of the one that has its name. */
const store = async (context: CommandContext, path: string, { name, space }: CreateWorkflowOptions): Promise<WorkflowResource> => {
  const { client } = context;
  const read = workflowIn(await specIn(context.io, path));
  const wanted = name ?? read.name;
  const known = (await everyItem(client.workflows.list)).filter((workflow) => workflow.name === wanted && (space === undefined || workflow.space === space));
  if (known.length > 1)
    throw new UsageError(`${known.length} workflows are called "${wanted}": change one by its id with: ${programName} workflow update <id> ${path}`);
  const [before] = known;
  if (before) return (await client.workflows.patch(before.id, { expectedVersion: before.version, draftSpec: read.spec })).workflow;
  return (await client.workflows.create({ name: wanted, ...(space === undefined ? {} : { space }), draftSpec: read.spec })).workflow;
};

const printStored = ({ json, print, printJson, note, style }: CommandContext, workflow: WorkflowResource, done: string): ExitCode => {
  if (json) printJson({ workflow });
  else {
    print(`${done} ${workflow.id} (${oneLine(workflow.name, 60)}), draft ${workflow.version}`);
    for (const fault of workflow.faults) note(style.yellow(faultText(fault)));
  }
  return exitCodes.completed;
};

export const createWorkflow = async (context: CommandContext, path: string, { name, space }: CreateWorkflowOptions): Promise<ExitCode> => {
  const read = workflowIn(await specIn(context.io, path));
  const { workflow } = await context.client.workflows.create({ name: name ?? read.name, ...(space === undefined ? {} : { space }), draftSpec: read.spec });
  return printStored(context, workflow, 'made');
};

export const updateWorkflow = async (context: CommandContext, ref: string, path: string): Promise<ExitCode> => {
  const { id, version } = await pickWorkflow(context.client, ref);
  const { spec } = workflowIn(await specIn(context.io, path));
  const { workflow } = await context.client.workflows.patch(id, { expectedVersion: version, draftSpec: spec });
  return printStored(context, workflow, 'changed');
};

/** A file is checked as `validate` does, then stored: as a new workflow, or as the draft of the one that has its name. With faults nothing is stored. */
export const publishWorkflow = async (context: CommandContext, ref: string, options: CreateWorkflowOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const inFile = isFile(context, ref);
  if (inFile) {
    const found = await faultsIn(context, ref, (workflow) => namedFaults(client, { ...workflow, name: options.name ?? workflow.name }));
    if (hasErrors(found)) return report(context, found, (fault: PlacedFault) => placedText(ref, fault));
  }
  const { id, version, name } = inFile ? await store(context, ref, options) : await pickWorkflow(client, ref);
  const { valid, faults } = await client.workflows.validate(id);
  if (!valid) {
    if (inFile) context.note(`Stored as draft ${version} of ${id}, and not published:`);
    return report(context, faults, faultText);
  }
  if (!json) for (const fault of faults) context.note(faultText(fault));
  const { revision } = await client.workflows.publish(id, version);
  if (json) printJson({ revision });
  else print(`published ${id} (${oneLine(name, 60)}), revision ${revision.n}: ${revision.id}. Run it with: ${programName} workflow run ${id}`);
  return exitCodes.completed;
};

export type GraphOptions = { readonly revision?: string };

/** Of a file, a draft, or a revision: text of Mermaid. */
const graphOfSpec = ({ json, print, printJson }: Printer, draft: unknown): ExitCode => {
  const parsed = workflowSpec.safeParse(draft);
  if (!parsed.success) throw new UsageError(`It is no workflow that could be drawn: ${programName} workflow validate says what is wrong.`);
  const mermaid = printable(mermaidOf(parsed.data));
  if (json) printJson({ mermaid });
  else print(mermaid.trimEnd());
  return exitCodes.completed;
};

export const graphWorkflow = async (context: CommandContext, ref: string, { revision }: GraphOptions): Promise<ExitCode> => {
  const { client } = context;
  const { id } = await pickWorkflow(client, ref);
  if (revision !== undefined) return graphOfSpec(context, (await client.workflows.revision(id, revision)).revision.spec);
  return graphOfSpec(context, (await client.workflows.get(id)).workflow.draftSpec);
};

/** What is wrong with it is told on stderr: what is drawn goes into a file. */
export const graphFile = async (printer: Printer, path: string): Promise<ExitCode> => {
  const workflow = workflowIn(await specIn(printer.io, path));
  for (const fault of placed(workflow, offlineFaults(workflow.spec))) printer.note(placedText(path, fault));
  return graphOfSpec(printer, workflow.spec);
};

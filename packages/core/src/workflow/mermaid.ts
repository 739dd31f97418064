/** A workflow as a flowchart in the language of Mermaid. */
import type { WorkflowEdge, WorkflowNode, WorkflowSpec } from '../protocol/wire/workflows.ts';

/** Marks of Mermaid's own, and what would end a label, as entities. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[#"&<>`\\]/g, (character) => `#${character.codePointAt(0)};`)
    .replaceAll(/\s+/g, ' ')
    .trim();

const longest = 60;
const short = (text: string): string => ([...text].length > longest ? `${[...text].slice(0, longest - 1).join('')}…` : text);
const label = (...parts: readonly string[]): string => `"${parts.map((part) => escaped(short(part))).join('<br/>')}"`;

/** A node's name is its key with a mark before it: some keys are words of Mermaid. */
const idOf = (key: string): string => `n_${key}`;

const shapeOf = (node: WorkflowNode): string => {
  const title = node.name ?? node.key;
  switch (node.type) {
    case 'agent':
      return `[${label(title, `agent ${node.agentId}`)}]`;
    case 'team':
      return `[[${label(title, `team ${node.teamId}`)}]]`;
    case 'subrun':
      return `[[${label(title, `workflow ${node.definitionRevisionId}`)}]]`;
    case 'condition':
      return `{${label(title, node.condition)}}`;
    case 'join':
      return `{{${label(title, node.join.count === undefined ? node.join.mode : `${node.join.mode} of ${node.join.count}`)}}}`;
    case 'approval':
      return `[/${label(title, `approval by ${[node.approval.approverRef].flat().join(', ')}`)}/]`;
    case 'timer':
      return `([${label(title, 'at' in node.timer ? `until ${node.timer.at}` : `wait ${node.timer.durationSeconds} s`)}])`;
    case 'signal':
      return `>${label(title, `signal ${node.signalName}`)}]`;
    case 'map':
      return `[[${label(title, `${node.node.type} for each of ${node.items}`)}]]`;
  }
};

const edgeText = ({ from, to, on, condition }: WorkflowEdge): string => {
  const outcomes = on === undefined || (on.length === 1 && on[0] === 'succeeded') ? [] : [on.join(', ')];
  const parts = [...outcomes, ...(condition === undefined ? [] : [condition])];
  return `${idOf(from)} -->${parts.length === 0 ? '' : `|${label(...parts)}|`} ${idOf(to)}`;
};

/** Nodes and edges in the order of the spec, so that the same workflow is the same text. */
export const mermaidOf = ({ nodes, edges }: Pick<WorkflowSpec, 'nodes' | 'edges'>): string =>
  ['flowchart TD', ...nodes.map((node) => `  ${idOf(node.key)}${shapeOf(node)}`), ...edges.map((edge) => `  ${edgeText(edge)}`), ''].join('\n');

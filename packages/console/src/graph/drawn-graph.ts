/** A workflow's spec as it can be drawn: of a draft that is not finished, what of it is there. */

export type DrawnNode = { readonly key: string; readonly type: string; readonly name: string };
export type DrawnEdge = { readonly from: string; readonly to: string; readonly label: string };
export type DrawnGraph = { readonly nodes: readonly DrawnNode[]; readonly edges: readonly DrawnEdge[] };

const membersOf = (value: unknown): { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null ? (value as { readonly [member: string]: unknown }) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is said of an edge: the outcomes on which it is taken, but for success alone, which goes without saying; and its condition. */
const labelOf = ({ on, condition }: { readonly [member: string]: unknown }): string => {
  const outcomes = listOf(on).map(textOf).filter(Boolean);
  const isUsual = outcomes.length === 0 || (outcomes.length === 1 && outcomes[0] === 'succeeded');
  return [...(isUsual ? [] : [outcomes.join(', ')]), ...(textOf(condition) === '' ? [] : [textOf(condition)])].join(' · ');
};

export const drawnGraph = (spec: unknown): DrawnGraph => {
  const { nodes, edges } = membersOf(spec);
  const found = new Map<string, DrawnNode>();
  for (const node of listOf(nodes).map(membersOf)) {
    const key = textOf(node['key']);
    if (key !== '' && !found.has(key)) found.set(key, { key, type: textOf(node['type']), name: textOf(node['name']) || key });
  }
  return {
    nodes: [...found.values()],
    edges: listOf(edges)
      .map(membersOf)
      .flatMap((edge) => {
        const [from, to] = [textOf(edge['from']), textOf(edge['to'])];
        return found.has(from) && found.has(to) ? [{ from, to, label: labelOf(edge) }] : [];
      }),
  };
};

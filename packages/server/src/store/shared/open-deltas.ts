/**
 * Which deltas belong to which open resource.
 *
 * An item is open while it streams, a tool while it runs. Text is looked at before it is parsed: most rows are of
 * neither kind, and inside JSON strings quotes are escaped, so that a member that is there is never overlooked.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { type ResourceKind, toolKey } from '@turnkeeper/core/view/resources';
import type { ToolBody } from '@turnkeeper/core/view/tool';

type Row = { readonly kind: ResourceKind; readonly id: string; readonly baseSeq: number; readonly body: string };
export type OpenResource = {
  readonly baseSeq: number;
  readonly deltaType: string;
  readonly id: string;
  /** Stands in the text of each of its deltas. */
  readonly mark: string;
};

const openItem = (row: Row): OpenResource[] => {
  if (!row.body.includes('"in_progress"')) return [];
  const body = JSON.parse(row.body) as Partial<ItemBody>;
  return body.item?.status === 'in_progress' ? [{ baseSeq: row.baseSeq, deltaType: 'item.delta', id: row.id, mark: JSON.stringify(row.id) }] : [];
};

const openTool = (row: Row): OpenResource[] => {
  if (!row.body.includes('"running"')) return [];
  const body = JSON.parse(row.body) as Partial<ToolBody>;
  return body.status === 'running' && body.tool_call_id !== undefined
    ? [{ baseSeq: row.baseSeq, deltaType: 'tool.delta', id: row.id, mark: JSON.stringify(body.tool_call_id) }]
    : [];
};

/** The items that stream and the tools that run. */
export const openResources = (rows: readonly Row[]): readonly OpenResource[] =>
  rows.flatMap((row) => (row.kind === 'item' ? openItem(row) : row.kind === 'tool' ? openTool(row) : []));

const touchedBy = (delta: LogRow): string => {
  const data = JSON.parse(delta.data) as { readonly item_id: string; readonly turn_id: string; readonly tool_call_id: string };
  return delta.type === 'item.delta' ? data.item_id : toolKey(data);
};

/** Of the deltas of a session those that one of these resources does not hold yet. */
export const ownDeltas = (open: readonly OpenResource[], deltas: readonly LogRow[]): LogRow[] =>
  deltas.filter((delta) => {
    const maybe = open.filter((resource) => resource.deltaType === delta.type && delta.seq > resource.baseSeq && delta.data.includes(resource.mark));
    if (maybe.length === 0) return false;
    const id = touchedBy(delta);
    return maybe.some((resource) => resource.id === id);
  });

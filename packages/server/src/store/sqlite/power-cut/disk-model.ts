/**
 * A disk that loses its power: what a file system may hold after a cut, by the calls that were made before it.
 *
 * What was synced when the cut comes is there. Of what was written and not yet synced each sector (512 bytes) may be
 * there or not, in any mixture. Names made and removed in a folder are there up to some point, not before the last
 * sync of the folder.
 */
import { bytesIn, firstNumber, lastNumber, type SystemCall } from './system-calls.ts';

const sector = 512;

type Change = { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer } | { readonly kind: 'truncate'; readonly size: number };
type Inode = { durable: Buffer; pending: Change[] };
type NameChange = { readonly kind: 'made'; readonly path: string; readonly inode: Inode } | { readonly kind: 'removed'; readonly path: string };
type Pick = (below: number) => number;

const changed = (content: Buffer, change: Change): Buffer => {
  if (change.kind === 'truncate')
    return change.size <= content.length ? content.subarray(0, change.size) : Buffer.concat([content, Buffer.alloc(change.size - content.length)]);
  const grown =
    change.at + change.bytes.length > content.length
      ? Buffer.concat([content, Buffer.alloc(change.at + change.bytes.length - content.length)])
      : Buffer.from(content);
  change.bytes.copy(grown, change.at);
  return grown;
};

/** What may be left of one change: nothing, all, or some of its sectors. */
const torn = (change: Change, pick: Pick): Change[] => {
  const fate = pick(3);
  if (fate === 0) return [];
  if (fate === 1 || change.kind === 'truncate') return [change];
  const parts: Change[] = [];
  for (let from = 0; from < change.bytes.length; from += sector) {
    if (pick(2) === 0) parts.push({ kind: 'write', at: change.at + from, bytes: change.bytes.subarray(from, from + sector) });
  }
  return parts;
};

const shuffled = <Type>(list: readonly Type[], pick: Pick): Type[] => {
  const left = [...list];
  return list.map(() => left.splice(pick(left.length), 1)[0] as Type);
};

export class DiskModel {
  private readonly folder: string;
  private readonly names = new Map<string, Inode>();
  private readonly handles = new Map<number, { readonly path: string; readonly inode?: Inode }>();
  private nameChanges: NameChange[] = [];
  private readonly durableNames = new Map<string, Inode>();
  private readonly syncing = new Map<string, { readonly inode?: Inode; readonly count: number }>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Takes the next call into account. */
  apply(call: SystemCall): void {
    if (call.name === 'fsync' || call.name === 'fdatasync') this.sync(call);
    else if (call.edge === 'entry' && call.name === 'pwrite64')
      this.inodeOf(call)?.pending.push({ kind: 'write', at: lastNumber(call.args), bytes: bytesIn(call.args) });
    else if (call.edge === 'entry' && call.name === 'ftruncate') this.inodeOf(call)?.pending.push({ kind: 'truncate', size: lastNumber(call.args) });
    else if (call.edge === 'entry' && call.name === 'close') this.handles.delete(firstNumber(call.args));
    else if (call.edge === 'exit' && call.name === 'openat' && call.result >= 0) this.opened(call);
    else if (call.edge === 'entry' && call.name.startsWith('unlink')) this.removed(bytesIn(call.args).toString());
    else if (/^(rename|fallocate|open$|creat)/.test(call.name) && this.concerns(call)) throw new Error(`the model does not know ${call.name}`);
  }

  /** The files as they may be when the power is cut now. */
  cut(pick: Pick): ReadonlyMap<string, Buffer> {
    const names = new Map(this.durableNames);
    for (const change of this.nameChanges.slice(0, pick(this.nameChanges.length + 1))) {
      if (change.kind === 'made') names.set(change.path, change.inode);
      else names.delete(change.path);
    }
    const left = ({ durable, pending }: Inode): Buffer =>
      shuffled(pending, pick)
        .flatMap((change) => torn(change, pick))
        .reduce(changed, durable);
    return new Map([...names].map(([path, inode]) => [path.slice(this.folder.length + 1), left(inode)]));
  }

  private inodeOf(call: SystemCall): Inode | undefined {
    return this.handles.get(firstNumber(call.args))?.inode;
  }

  private concerns(call: SystemCall): boolean {
    return bytesIn(call.args).toString().startsWith(this.folder) || this.inodeOf(call) !== undefined;
  }

  private opened(call: SystemCall): void {
    const path = bytesIn(call.args).toString();
    if (path === this.folder) this.handles.set(call.result, { path });
    else if (path.startsWith(`${this.folder}/`)) {
      let inode = this.names.get(path);
      if (!inode) {
        inode = { durable: Buffer.alloc(0), pending: [] };
        this.names.set(path, inode);
        this.nameChanges.push({ kind: 'made', path, inode });
      }
      if (call.args.includes('O_TRUNC')) inode.pending.push({ kind: 'truncate', size: 0 });
      this.handles.set(call.result, { path, inode });
    } else this.handles.delete(call.result);
  }

  private removed(path: string): void {
    if (this.names.delete(path)) this.nameChanges.push({ kind: 'removed', path });
  }

  /** What was written before the sync began is durable once it has ended. */
  private sync(call: SystemCall): void {
    const handle = this.handles.get(firstNumber(call.args));
    if (!handle) return;
    if (call.edge === 'entry') {
      this.syncing.set(call.thread, handle.inode ? { inode: handle.inode, count: handle.inode.pending.length } : { count: this.nameChanges.length });
      return;
    }
    const began = this.syncing.get(call.thread);
    this.syncing.delete(call.thread);
    if (!began || call.result !== 0) return;
    if (began.inode) {
      const synced = began.inode.pending.splice(0, began.count);
      began.inode.durable = synced.reduce(changed, began.inode.durable);
      return;
    }
    for (const change of this.nameChanges.splice(0, began.count)) {
      if (change.kind === 'made') this.durableNames.set(change.path, change.inode);
      else this.durableNames.delete(change.path);
    }
  }
}

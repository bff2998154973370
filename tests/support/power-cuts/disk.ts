import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { FileEvent, Recording } from './events.ts';

/** What a drive keeps of what was not synced. A write may be torn: then it keeps the beginning, in sectors. */
export interface Survival {
  entries(): boolean;
  write(sectors: number): number;
}

const SECTOR = 512;

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly size: number };

class FileNode {
  /** Has room for more than `size`. */
  content: Buffer = Buffer.alloc(0);
  size = 0;
  /** With the pending changes. */
  liveSize = 0;
  pending: Change[] = [];

  change(change: Change): void {
    this.pending.push(change);
    this.liveSize =
      'size' in change ? change.size : Math.max(this.liveSize, change.at + change.bytes.byteLength);
  }

  sync(count: number): void {
    for (const change of this.pending.splice(0, count)) this.#apply(change);
  }

  #apply(change: Change): void {
    const end = 'size' in change ? change.size : change.at + change.bytes.byteLength;
    if (end > this.content.byteLength) {
      const larger = Buffer.alloc(end * 2);
      this.content.copy(larger, 0, 0, this.size);
      this.content = larger;
    }
    if ('bytes' in change) change.bytes.copy(this.content, change.at);
    else if (end < this.size) this.content.fill(0, end, this.size);
    this.size = 'size' in change ? end : Math.max(this.size, end);
  }

  toSurvivor(survival: Survival): Buffer {
    const copy = new FileNode();
    copy.content = Buffer.from(this.content);
    copy.size = this.size;
    for (const change of this.pending) {
      if ('size' in change) {
        if (survival.entries()) copy.#apply(change);
        continue;
      }
      const sectors = Math.ceil(change.bytes.byteLength / SECTOR);
      const bytes = change.bytes.subarray(0, survival.write(sectors) * SECTOR);
      if (bytes.byteLength > 0) copy.#apply({ at: change.at, bytes });
    }
    return copy.content.subarray(0, copy.size);
  }
}

class FolderNode {
  readonly entries = new Map<string, Node>();
  /** By the order of the change that is on the disk: an older one does not replace it. */
  readonly durable = new Map<string, { readonly node: Node | undefined; readonly order: number }>();
}

type Node = FileNode | FolderNode;

/** A change of one or two folders, which is on the disk completely or not at all. */
interface EntryChange {
  readonly order: number;
  /** A sync of this folder writes it. */
  readonly folder: FolderNode;
  readonly parts: readonly {
    readonly folder: FolderNode;
    readonly name: string;
    readonly node: Node | undefined;
  }[];
}

/**
 * A drive that guarantees no more than POSIX: the content of a file is on it after its fsync, and a new, renamed or removed
 * entry of a folder after that of the folder. Of everything else, any part may be there after a power loss.
 */
export class Disk {
  readonly #root: string;
  readonly #top = new FolderNode();
  #pending: EntryChange[] = [];
  #order = 0;
  readonly #syncs = new Map<number, { readonly node: Node; readonly count: number }>();

  constructor({ root, before }: Pick<Recording, 'root' | 'before'>) {
    this.#root = root;
    for (const [path, content] of before) {
      this.apply(content === 'folder' ? { kind: 'mkdir', path } : { kind: 'create', path });
      if (content !== 'folder') this.apply({ kind: 'write', path, at: 0, bytes: content });
      const node = this.#find(path);
      if (node instanceof FileNode) node.sync(node.pending.length);
    }
    for (const change of this.#pending.splice(0)) writeEntries(change);
  }

  apply(event: FileEvent): void {
    switch (event.kind) {
      case 'create':
        if (this.#find(event.path) === undefined) this.#setEntries([event.path, new FileNode()]);
        return;
      case 'mkdir':
        return this.#setEntries([event.path, new FolderNode()]);
      case 'write': {
        const file = this.#findFile(event.path);
        return file.change({ at: event.at === 'end' ? file.liveSize : event.at, bytes: event.bytes });
      }
      case 'resize':
        return this.#findFile(event.path).change({ size: event.size });
      case 'rename':
        return this.#setEntries([event.to, this.#get(event.path)], [event.path, undefined]);
      case 'link':
        return this.#setEntries([event.to, this.#get(event.path)]);
      case 'remove':
        return this.#setEntries([event.path, undefined]);
      case 'sync begins': {
        const node = this.#get(event.path);
        const count = node instanceof FileNode ? node.pending.length : this.#order;
        return void this.#syncs.set(event.id, { node, count });
      }
      case 'sync':
        return this.#sync(event.id);
      case 'said':
    }
  }

  /** Writes what is left after a power loss into an empty folder. */
  async materialise(target: string, survival: Survival): Promise<void> {
    const survived = this.#pending.filter(() => survival.entries());
    const write = async (folder: FolderNode, path: string): Promise<void> => {
      const entries = new Map(folder.durable);
      for (const { order, parts } of survived) {
        for (const { folder: changed, name, node } of parts)
          if (changed === folder && (entries.get(name)?.order ?? -1) < order)
            entries.set(name, { node, order });
      }
      for (const [name, { node }] of entries) {
        const place = join(path, name);
        if (node instanceof FileNode) await writeFile(place, node.toSurvivor(survival), { mode: 0o600 });
        if (node instanceof FolderNode) {
          await mkdir(place, { mode: 0o700 });
          await write(node, place);
        }
      }
    };
    await write(this.#top, target);
  }

  #sync(id: number): void {
    const begun = this.#syncs.get(id);
    if (begun === undefined) throw new Error('a sync ends that has not begun');
    this.#syncs.delete(id);
    const { node, count } = begun;
    if (node instanceof FileNode) return node.sync(count);
    const isWritten = ({ folder, order }: EntryChange) => folder === node && order <= count;
    for (const change of this.#pending.filter(isWritten)) writeEntries(change);
    this.#pending = this.#pending.filter((change) => !isWritten(change));
  }

  #setEntries(...changes: readonly (readonly [path: string, node: Node | undefined])[]): void {
    const parts = changes.map(([path, node]) => ({
      folder: this.#findFolder(dirname(path)),
      name: basename(path),
      node,
    }));
    for (const { folder, name, node } of parts) {
      if (node === undefined) folder.entries.delete(name);
      else folder.entries.set(name, node);
    }
    const [first] = parts;
    if (first !== undefined) this.#pending.push({ order: (this.#order += 1), folder: first.folder, parts });
  }

  #find(path: string): Node | undefined {
    const below = relative(this.#root, path);
    let node: Node | undefined = this.#top;
    for (const name of below === '' ? [] : below.split('/'))
      node = node instanceof FolderNode ? node.entries.get(name) : undefined;
    return node;
  }

  #get(path: string): Node {
    const node = this.#find(path);
    if (node === undefined) throw new Error(`${path} was not created while it was recorded`);
    return node;
  }

  #findFile(path: string): FileNode {
    const node = this.#get(path);
    if (node instanceof FileNode) return node;
    throw new Error(`${path} is a folder`);
  }

  #findFolder(path: string): FolderNode {
    const node = this.#get(path);
    if (node instanceof FolderNode) return node;
    throw new Error(`${path} is a file`);
  }
}

function writeEntries({ order, parts }: EntryChange): void {
  for (const { folder, name, node } of parts)
    if ((folder.durable.get(name)?.order ?? -1) < order) folder.durable.set(name, { node, order });
}

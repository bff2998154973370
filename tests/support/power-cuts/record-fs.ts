/**
 * `node --import record-fs.ts …`: writes what this process does to files below RECORDED_ROOT by `node:fs` into the file
 * RECORDED_EVENTS, a line of JSON each. It does not see what SQLite writes.
 */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';
import type { FileEvent } from './events.ts';

const root = process.env['RECORDED_ROOT'] ?? '';
const { openSync, writeSync, readFileSync, readdirSync, lstatSync } = fs;
const output = openSync(process.env['RECORDED_EVENTS'] ?? '', 'a');
const paths = new Map<number, string>();
let syncs = 0;

function note(event: FileEvent): void {
  if ('path' in event && !`${event.path}/`.startsWith(`${root}/`)) return;
  writeSync(output, `${JSON.stringify(event)}\n`);
}

function noteOpened(descriptor: number, path: fs.PathLike, flags: unknown = 'r'): void {
  const file = resolve(String(path));
  paths.set(descriptor, file);
  if (typeof flags !== 'string' || !/[wa]/.test(flags)) return;
  note({ kind: 'create', path: file });
  if (flags.startsWith('w')) note({ kind: 'resize', path: file, size: 0 });
}

function noteContent(path: string): void {
  if (`${path}/`.startsWith(`${root}/`)) note({ kind: 'write', path, at: 0, bytes: readFileSync(path) });
}

function noteFolders(path: string, first: string | undefined): void {
  if (first === undefined) return;
  const below = path
    .slice(first.length)
    .split('/')
    .filter((name) => name !== '');
  note({ kind: 'mkdir', path: first });
  below.reduce(
    (parent, name) => (note({ kind: 'mkdir', path: join(parent, name) }), join(parent, name)),
    first,
  );
}

/** The path and everything below it, the deepest first. */
function listRemoved(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const names = found.isDirectory() ? readdirSync(path) : [];
  return [...names.flatMap((name) => listRemoved(join(path, name))), path];
}

/** Replaces functions of an object by ones that note what the original did. `before` prepares it. */
function watch<Owner extends object>(
  owner: Owner,
  name: keyof Owner & string,
  after: (args: readonly never[], result: never, prepared: never, self: never) => void,
  before: (args: readonly never[], self: never) => unknown = () => undefined,
): void {
  const original = owner[name] as (...args: readonly unknown[]) => unknown;
  const replacement = function (this: unknown, ...args: never[]): unknown {
    const prepared = before(args, this as never) as never;
    const note = (result: unknown) => (after(args, result as never, prepared, this as never), result);
    const result = original.apply(this, args);
    return result instanceof Promise ? result.then(note) : note(result);
  };
  owner[name] = replacement as Owner[typeof name];
}

const noteMove = (kind: 'rename' | 'link') => (args: readonly string[]) =>
  note({ kind, path: resolve(args[0] ?? ''), to: resolve(args[1] ?? '') });
const noteRemoved = (_: readonly string[], __: unknown, removed: readonly string[]) => {
  for (const path of removed) note({ kind: 'remove', path });
};
const noteMade = ([path, options]: readonly unknown[], first: string | undefined) => {
  const isRecursive = (options as { readonly recursive?: boolean } | undefined)?.recursive === true;
  noteFolders(resolve(String(path)), isRecursive ? first : resolve(String(path)));
};
const noteWhole = ([path, , options]: readonly unknown[]) => {
  const file = resolve(String(path));
  note({ kind: 'create', path: file });
  noteContent(file);
  if ((options as { readonly flush?: boolean } | undefined)?.flush === true)
    noteSynced(file, beginSync(file));
};
const beginSync = (path: string) => {
  note({ kind: 'sync begins', path: resolve(path), id: (syncs += 1) });
  return syncs;
};
const noteSynced = (path: string, id: number) => note({ kind: 'sync', path, id });
const toFile = (descriptor: number) => paths.get(descriptor) ?? '';

const probe = await fs.promises.open(import.meta.filename);
const handles = Object.getPrototypeOf(probe) as FileHandle;
await probe.close();
watch(fs.promises, 'open', ([path, flags], { fd }: FileHandle) => noteOpened(fd, path as never, flags));
watch(fs, 'openSync', ([path, flags], fd: number) => noteOpened(fd, path as never, flags));
for (const name of ['writeFile', 'write'] as const)
  watch(handles, name, (_, __, ___, { fd }: FileHandle) => noteContent(toFile(fd)));
watch(
  handles,
  'sync',
  (_, __, id, { fd }: FileHandle) => noteSynced(toFile(fd), id),
  (_, { fd }: FileHandle) => beginSync(toFile(fd)),
);
watch(
  fs,
  'fsyncSync',
  ([fd], _, id) => noteSynced(toFile(fd as never), id),
  ([fd]) => beginSync(toFile(fd as never)),
);
watch(fs.promises, 'writeFile', noteWhole);
watch(fs, 'writeFileSync', noteWhole);
watch(fs.promises, 'mkdir', noteMade);
watch(fs, 'mkdirSync', noteMade);
watch(fs.promises, 'rename', noteMove('rename'));
watch(fs.promises, 'link', noteMove('link'));
watch(fs, 'linkSync', noteMove('link'));
for (const name of ['rm', 'unlink'] as const)
  watch(fs.promises, name, noteRemoved, ([path]) => listRemoved(resolve(String(path))));
watch(fs, 'rmSync', noteRemoved, ([path]) => listRemoved(resolve(String(path))));
syncBuiltinESMExports();
const noteSaid = ([message]: readonly unknown[]) => note({ kind: 'said', message });
if (process.send !== undefined) watch(process as Required<NodeJS.Process>, 'send', () => undefined, noteSaid);
watch(process.stdout, 'write', () => undefined, noteSaid);

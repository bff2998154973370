import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { FileEvent } from './events.ts';

const CALLS =
  'openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,' +
  'link,linkat,symlink,unlink,unlinkat,mkdir,mkdirat,rmdir,copy_file_range,sendfile,io_uring_enter';

/** The beginning of a command that writes the calls of the rest of it, and of its children, into a file. */
export function toStrace(output: string): readonly [string, ...string[]] {
  const flags = ['-f', '-y', '-xx', '--seccomp-bpf', '-s', String(100_000_000), '-o', output];
  return ['strace', ...flags, '-e', `trace=${CALLS}`];
}

export async function hasStrace(): Promise<boolean> {
  const child: ChildProcess = spawn('strace', ['-V'], { stdio: 'ignore' });
  return new Promise((done) => child.on('error', () => done(false)).on('exit', (code) => done(code === 0)));
}

/** A call with its arguments as strace writes them, or the first half of one that another thread interrupts. */
const CALL = /^(\w+)\((.*)\)\s+= (-?\d+)/s;
const LINE = /^(\d+) +(.*)$/s;
const RESUMED = /^<\.\.\. (\w+) resumed>(.*)$/s;
const UNFINISHED = ' <unfinished ...>';

/** The events below `root` in the output of strace, and what the first process wrote to its parent and its output. */
export async function readTrace(file: string, root: string): Promise<FileEvent[]> {
  const events: FileEvent[] = [];
  /** Of calls that another thread has interrupted, by thread. */
  const halves = new Map<string, string>();
  const syncs = new Map<string, number>();
  /** Where a file's next `write` begins: the program opens no file twice at a time to write to it in sequence. */
  const positions = new Map<string, number | 'end'>();
  let first: string | undefined;
  let id = 0;
  const lines = createInterface({ input: createReadStream(file, 'latin1'), crlfDelay: Infinity });
  for await (const line of lines) {
    const [, pid = '', text = ''] = LINE.exec(line) ?? [];
    first ??= pid;
    const resumed = RESUMED.exec(text);
    const whole = resumed === null ? text : `${halves.get(pid) ?? ''}${resumed[2]}`;
    if (whole.endsWith(UNFINISHED)) {
      halves.set(pid, whole.slice(0, -UNFINISHED.length));
      const path = whole.startsWith('fsync(') || whole.startsWith('fdatasync(') ? toPath(whole) : '';
      if (isBelow(path, root)) events.push({ kind: 'sync begins', path, id: (id += 1) });
      if (isBelow(path, root)) syncs.set(pid, id);
      continue;
    }
    const [, name = '', args = '', result = ''] = CALL.exec(whole) ?? [];
    if (name === '' || result.startsWith('-')) continue;
    if (name === 'fsync' || name === 'fdatasync') {
      const path = toPath(args);
      if (!isBelow(path, root)) continue;
      const begun = resumed === null ? undefined : syncs.get(pid);
      if (begun === undefined) events.push({ kind: 'sync begins', path, id: (id += 1) });
      events.push({ kind: 'sync', path, id: begun ?? id });
      continue;
    }
    const message = pid === first && name === 'write' ? readMessage(args) : undefined;
    if (message !== undefined) events.push({ kind: 'said', message });
    else events.push(...toEvents(name, args, result, root, positions));
  }
  return events;
}

function toEvents(
  name: string,
  args: string,
  result: string,
  root: string,
  positions: Map<string, number | 'end'>,
): FileEvent[] {
  const [path = '', to = ''] = name.includes('write') ? [] : readPaths(args);
  switch (name) {
    case 'open':
    case 'openat':
    case 'creat': {
      const flags = name === 'creat' ? 'O_WRONLY|O_CREAT|O_TRUNC' : args;
      if (!isBelow(path, root) || !/O_WRONLY|O_RDWR/.test(flags)) return [];
      positions.set(path, flags.includes('O_APPEND') ? 'end' : 0);
      return [
        ...(flags.includes('O_CREAT') ? [{ kind: 'create', path } as const] : []),
        ...(flags.includes('O_TRUNC') ? [{ kind: 'resize', path, size: 0 } as const] : []),
      ];
    }
    case 'write':
    case 'writev':
    case 'pwrite64':
    case 'pwritev': {
      const file = toPath(args);
      if (!isBelow(file, root)) return [];
      const bytes = Buffer.concat(readTexts(args)).subarray(0, Number(result));
      const isPositioned = name.startsWith('p');
      const at = isPositioned ? Number(/(\d+)$/.exec(args)?.[1]) : (positions.get(file) ?? 0);
      if (!isPositioned && at !== 'end') positions.set(file, at + bytes.byteLength);
      return [{ kind: 'write', path: file, at, bytes }];
    }
    case 'ftruncate':
      return isBelow(toPath(args), root)
        ? [{ kind: 'resize', path: toPath(args), size: Number(/(\d+)$/.exec(args)?.[1]) }]
        : [];
    case 'mkdir':
    case 'mkdirat':
      return isBelow(path, root) ? [{ kind: 'mkdir', path }] : [];
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return isBelow(path, root) ? [{ kind: 'remove', path }] : [];
    case 'rename':
    case 'renameat':
    case 'renameat2':
    case 'link':
    case 'linkat': {
      if (!isBelow(path, root) && !isBelow(to, root)) return [];
      const at = positions.get(path);
      if (at !== undefined) positions.set(to, at);
      return [{ kind: name.startsWith('rename') ? 'rename' : 'link', path, to }];
    }
    default:
      if (isBelow(toPath(args), root)) throw new Error(`the model of the disk does not know ${name}`);
      return [];
  }
}

/** The path of the descriptor that an argument list begins with. */
function toPath(args: string): string {
  const [, hex = ''] = /\d+<([^>]*)>/.exec(args) ?? [];
  return unescape(hex).toString('utf8');
}

/** The paths of an argument list, absolute. */
function readPaths(args: string): string[] {
  const pattern = /(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"/g;
  return [...args.matchAll(pattern)].map(([, folder = '', path = '']) =>
    resolve(unescape(folder).toString('utf8') || '/', unescape(path).toString('utf8')),
  );
}

function readTexts(args: string): Buffer[] {
  return [...args.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => unescape(hex));
}

function unescape(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

/** What is written to the standard output, or to the channel of `fork`, as one line of JSON. */
function readMessage(args: string): unknown {
  const [, descriptor, kind = ''] = /^(\d)<([^>]*)>/.exec(args) ?? [];
  if (descriptor === '1') return Buffer.concat(readTexts(args)).toString('utf8');
  if (descriptor !== '3' || !unescape(kind).toString('utf8').startsWith('socket:')) return undefined;
  return JSON.parse(Buffer.concat(readTexts(args)).toString('utf8'));
}

function isBelow(path: string, root: string): boolean {
  return path === root || dirname(`${path}/x`).startsWith(`${root}/`);
}

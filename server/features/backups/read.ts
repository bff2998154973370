import { createHash } from 'node:crypto';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Migration } from '../../platform/database/migrations/migration.ts';
import { MIGRATIONS } from '../../schema/migrations.ts';
import { DamagedContent } from './files.ts';
import { BackupRefused } from './format.ts';
import type { BackupReader } from './format.ts';
import {
  MANIFEST_ENTRY,
  SUMMARY_ENTRY,
  SUMS_ENTRY,
  parseManifest,
  parseSummary,
  parseSums,
} from './manifest.ts';
import type { Manifest, Summary } from './manifest.ts';
import { describeFuture, listDated, openPoolBackup } from './pool.ts';
import { openTar } from './tar.ts';

/** The hashes of about two million files. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;
const TEXTS: ReadonlySet<string> = new Set([MANIFEST_ENTRY, SUMMARY_ENTRY, SUMS_ENTRY]);

/** A backup whose entries have been read and compared with their hashes. */
export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly summary: Summary;
  /** The hashes of the entries, by name. */
  readonly sums: ReadonlyMap<string, string>;
}

interface Progress {
  readonly files: number;
  readonly bytes: number;
}

/** The backup is damaged; each fault is a line for the operator. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the backup is damaged: ${faults[0]}${faults.length > 1 ? `, and ${faults.length - 1} more` : ''}`);
    this.faults = faults;
  }
}

/** An archive, a backup in a folder, or the latest one of a folder. Throws `BackupRefused` for anything else. */
export async function findBackup(target: string): Promise<{ path: string; reader: BackupReader }> {
  const path = resolve(target);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(`${path} cannot be read (${error.code})`);
  });
  if (found.isFile()) return { path, reader: openTar(path) };
  if (await stat(join(path, SUMS_ENTRY)).catch(() => undefined))
    return { path, reader: openPoolBackup(path) };
  const { names, future } = await listDated(path, Date.now());
  const latest = names.at(-1);
  if (latest === undefined) {
    throw new BackupRefused(
      future.length === 0 ? `${path} has no backup` : `in ${path}, all ${describeFuture(future)}`,
    );
  }
  return { path: join(path, latest), reader: openPoolBackup(join(path, latest)) };
}

/** The first entry. Throws `BackupRefused`. */
export async function readManifest(reader: BackupReader): Promise<Manifest> {
  try {
    for await (const { name, content } of reader.entries()) {
      if (name !== MANIFEST_ENTRY) break;
      return parseManifest(await toText(content));
    }
  } catch (error) {
    throw new BackupRefused(error instanceof Error ? error.message : String(error));
  }
  throw new BackupRefused('this is not a backup');
}

/** The migrations of a backup. Throws `BackupRefused` if this program does not know one of them. */
export function requireMigrations({ migrations, version }: Manifest): readonly Migration[] {
  const unknown = migrations.filter((name) => !MIGRATIONS.some((known) => known.name === name));
  if (unknown.length > 0) {
    throw new BackupRefused(
      `this program cannot read the backup, which has ${unknown.join(', ')}; use version ${version}`,
    );
  }
  return MIGRATIONS.filter(({ name }) => migrations.includes(name));
}

/**
 * Reads everything and compares it with the hashes. Entries for which `toCopy` returns a path are also written there.
 * Throws `DamagedBackup` with all faults.
 */
export async function checkEntries(
  reader: BackupReader,
  onProgress: (progress: Progress) => void = () => undefined,
  toCopy: (name: string) => string | undefined = () => undefined,
): Promise<CheckedBackup> {
  const faults: string[] = [];
  const hashes = new Map<string, string>();
  const texts = new Map<string, string>();
  let bytes = 0;
  try {
    for await (const { name, content } of reader.entries()) {
      const read = TEXTS.has(name) ? await toText(content) : undefined;
      if (read !== undefined) texts.set(name, read);
      const found = await hashEntry(read === undefined ? content : [Buffer.from(read)], toCopy(name));
      if (found === undefined) continue;
      hashes.set(name, found.hash);
      onProgress({ files: hashes.size, bytes: (bytes += found.size) });
    }
  } catch (error) {
    faults.push(`it cannot be read to its end (${error instanceof Error ? error.message : String(error)})`);
  }
  const sumsText = texts.get(SUMS_ENTRY);
  if (sumsText === undefined) throw new DamagedBackup([...faults, 'it is incomplete']);
  const sums = readPart(() => parseSums(sumsText), faults);
  for (const [name, hash] of sums) {
    if (!hashes.has(name)) faults.push(`${name} is missing`);
    else if (hashes.get(name) !== hash) faults.push(`${name} has been altered or damaged`);
  }
  for (const name of hashes.keys()) {
    if (name !== SUMS_ENTRY && !sums.has(name)) faults.push(`${name} does not belong to the backup`);
  }
  if (faults.length > 0) throw new DamagedBackup(faults);
  return {
    manifest: readPart(() => parseManifest(texts.get(MANIFEST_ENTRY) ?? '')),
    summary: readPart(() => parseSummary(texts.get(SUMMARY_ENTRY) ?? '')),
    sums,
  };
}

/** Throws `DamagedBackup`, with the faults before, for a part that cannot be read. */
function readPart<Part>(read: () => Part, faults: readonly string[] = []): Part {
  try {
    return read();
  } catch (error) {
    throw new DamagedBackup([...faults, error instanceof Error ? error.message : String(error)]);
  }
}

/** Undefined for a file that does not exist. */
async function hashEntry(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  copy: string | undefined,
) {
  const file = copy === undefined ? undefined : await openCopy(copy);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.byteLength;
      await file?.writeFile(chunk);
    }
    return { hash: hash.digest('hex'), size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof DamagedContent) return { hash: 'none', size: 0 };
    throw error;
  } finally {
    await file?.close();
  }
}

async function openCopy(path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return open(path, 'w', 0o600);
}

/** Bounded, because a text is held in memory. */
export async function toText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    if ((bytes += chunk.byteLength) > TEXT_BYTES_MAX) throw new Error('an entry is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

import { createHash } from 'node:crypto';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnopenableSealError } from '../../../platform/crypto/sealed.ts';
import { unsealStream } from '../../../platform/crypto/sealed-streams.ts';
import type { OpeningKeys } from '../../../platform/crypto/sealed-keys.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import { openStorage } from '../../../platform/storage/open.ts';
import type { BucketLocation } from '../../../platform/storage/s3/address.ts';
import { SCRATCH, withScratch } from '../claim.ts';
import { ERASURES } from '../erasures.ts';
import { createFolderMaker, syncFolder, writeSynced } from '../../../platform/synced-files.ts';
import { hashing } from '../files.ts';
import { BackupRefused } from '../format.ts';
import { DATA_FOLDER, SUMS_ENTRY, isSafeName, parseSums } from '../manifest.ts';
import { toText } from '../read.ts';
import { isBackupName, isFuture, toBackupTime, toFileName, toPoolPath } from '../pool.ts';
import { LISTS, parseListHead, toContext, toListKey, toObjectKey } from './copies.ts';

export interface Source {
  readonly bucket: BucketLocation;
  readonly keys: OpeningKeys;
}

/** The backups whose copies a bucket has, oldest first. */
export async function listCopies({ bucket }: Pick<Source, 'bucket'>): Promise<string[]> {
  const lists = await openStorage({ kind: 's3', bucket: { ...bucket, prefix: `${bucket.prefix}${LISTS}` } });
  const names: string[] = [];
  for await (const { key } of lists.list()) if (isBackupName(key)) names.push(key);
  return names.toSorted();
}

/**
 * Opens the copy of a backup, the latest one unless named, in a folder that a restore takes; returns its path. Files that an
 * earlier, perhaps interrupted call has fetched are not fetched again. Throws `BackupRefused` for a missing copy, another
 * key, and for anything that was changed.
 */
export async function fetchBackup(
  source: Source,
  folder: string,
  { name, onProgress }: { readonly name?: string; onProgress?(files: number, bytes: number): void } = {},
): Promise<string> {
  const names = (await listCopies(source)).filter((each) => !isFuture(toBackupTime(each), Date.now()));
  const latest = names.at(-1);
  const wanted = name ?? latest;
  if (wanted === undefined || latest === undefined || !names.includes(wanted))
    throw new BackupRefused(`the bucket has no copy of ${name ?? 'a backup'}`);
  const backup = join(folder, wanted);
  if (await stat(backup).catch(() => undefined)) return backup;
  const open = await createOpener(source);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const scratch = join(folder, SCRATCH);
  return withScratch(scratch, async () => {
    const { head, sumsText } = await readList(open, wanted);
    const draft = join(scratch, 'backup');
    await mkdir(draft, { mode: 0o700 });
    const makeFolder = createFolderMaker(folder, 0o700);
    const counts = { files: 0, bytes: 0 };
    for (const [entry, hash] of parseSums(sumsText)) {
      if (!isSafeName(entry)) throw new BackupRefused(`the copy has an entry with an unsafe name: ${entry}`);
      const isPooled = entry.startsWith(DATA_FOLDER);
      const path = isPooled ? toPoolPath(folder, hash) : join(draft, toFileName(entry));
      if (isPooled && (await stat(path).catch(() => undefined))) continue;
      const temporary = isPooled ? join(scratch, 'object') : path;
      await makeFolder(dirname(path));
      await makeFolder(dirname(temporary));
      const found = createHash('sha256');
      const content = hashing(open(toObjectKey(head.nameKey, hash)), found);
      await writeSynced(temporary, content, { flags: 'w' });
      // Others than these are compressed; a restore compares them.
      if (isPooled && found.digest('hex') !== hash) throw new BackupRefused(`${entry} was altered`);
      if (isPooled) await rename(temporary, path);
      await syncFolder(dirname(path));
      counts.bytes += (await stat(path)).size;
      onProgress?.((counts.files += 1), counts.bytes);
    }
    const { head: newest } = wanted === latest ? { head } : await readList(open, latest);
    if (newest.erasures !== null) {
      const erasures = open(toObjectKey(newest.nameKey, newest.erasures));
      await writeSynced(join(folder, ERASURES), erasures, { flags: 'w' });
    }
    await writeSynced(join(draft, SUMS_ENTRY), sumsText);
    await syncFolder(draft);
    await rename(draft, backup);
    await syncFolder(folder);
    return backup;
  });
}

type Opener = (key: string) => AsyncIterable<Uint8Array>;

/** Reads objects and opens their seals. */
async function createOpener({ bucket, keys }: Source): Promise<Opener> {
  const storage = await openStorage({ kind: 's3', bucket });
  return async function* (key) {
    try {
      yield* unsealStream(keys, await storage.open(key), toContext(key));
    } catch (error) {
      if (error instanceof MissingObjectError) throw new BackupRefused(`the bucket has no object ${key}`);
      if (error instanceof UnopenableSealError)
        throw new BackupRefused(`${key} cannot be opened: ${error.message}`);
      throw error;
    }
  };
}

async function readList(open: Opener, name: string) {
  const text = await toText(open(toListKey(name)));
  const end = text.indexOf('\n') + 1;
  return { head: parseListHead(text.slice(0, end)), sumsText: text.slice(end) };
}

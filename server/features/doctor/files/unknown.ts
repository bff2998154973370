import { DAY_MS } from '../../../../contract/values/time-units.ts';
import type { Database } from '../../../platform/database/open.ts';
import type { ListedObject, Storage } from '../../../platform/storage/port.ts';
import { findReferenced } from '../../stored-files/in-use.ts';
import type { FileOwner } from '../../stored-files/owners.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Site, Tools } from '../check.ts';

/** Longer than any call takes to store a file and refer to it, whatever the clocks of two machines. */
const SAFE_AGE_MS = DAY_MS;
/** Files that are looked up with one query for each kind. */
const BATCH = 200;
/** Bounds memory: further ones are found by the next run. */
const CANDIDATES_MAX = 10_000;

type Candidates = ReadonlyMap<string, Pick<ListedObject, 'size' | 'modifiedAt'>>;

export const unknownFiles: Check = {
  name: 'unknown files',
  priority: 'warning',
  stage: 'long',
  consoleText: null,
  async run(site) {
    const { unused, strays } = await findUnused(site);
    const tally = new Tally();
    for (const key of unused.keys()) tally.add(key);
    return [
      ...tally.diagnose({
        kind: 'unused',
        found: (count) =>
          `${count === CANDIDATES_MAX ? 'At least ' : ''}${countOf(count, 'stored file')} older than a day belongs to no row.`,
        meaning:
          'They take room on the disk. They may be files of deleted sounds, or the database is older than the files.',
        remedy:
          'If you have restored an older database, first make sure that nothing is missing. Then delete them (--fix does it).',
        fix: (tools) => deleteUnused(tools, site.files, unused),
      }),
      ...strays.diagnose({
        kind: 'stray',
        found: (count) => `${countOf(count, 'file')} in the storage was not made by this program.`,
        meaning: 'They are not shown anywhere; something else writes there.',
        remedy: 'Move them to another place.',
      }),
    ];
  },
};

/**
 * Files that no row refers to, listed twice: only those that both lists have, unchanged, are unused. Strays are files
 * in no folder of this program.
 */
async function findUnused(site: Site): Promise<{ unused: Candidates; strays: Tally }> {
  const { db } = await site.openDatabase();
  const storage = await site.openStorage();
  const before = site.clock.now() - SAFE_AGE_MS;
  const first = new Map<string, ListedObject>();
  const strays = new Tally();
  for await (const { file, isStray } of listUnused(db, site.files, storage, before)) {
    if (isStray) strays.add(file.key);
    else if (first.size < CANDIDATES_MAX) first.set(file.key, file);
  }
  const unused = new Map<string, ListedObject>();
  if (first.size === 0) return { unused, strays };
  for await (const { file } of listUnused(db, site.files, storage, before)) {
    const earlier = first.get(file.key);
    if (earlier !== undefined && isSame(earlier, file)) unused.set(file.key, file);
  }
  return { unused, strays };
}

async function* listUnused(
  db: Database['db'],
  owners: readonly FileOwner[],
  storage: Storage,
  beforeMs: number,
) {
  let batch: ListedObject[] = [];
  async function* examine() {
    const files = batch;
    batch = [];
    const isReferenced = await findReferenced(
      db,
      owners,
      files.map(({ key }) => key),
    );
    for (const file of files) {
      const state = file.isObject ? isReferenced(file.key) : undefined;
      if (state !== true) yield { file, isStray: state === undefined };
    }
  }
  for await (const file of storage.list()) {
    if (file.modifiedAt.getTime() > beforeMs) continue;
    batch.push(file);
    if (batch.length === BATCH) yield* examine();
  }
  if (batch.length > 0) yield* examine();
}

/** Looks at each file and its rows once more before it deletes the file. One that cannot be deleted keeps no other. */
async function deleteUnused(
  { database, storage, clock }: Tools,
  owners: readonly FileOwner[],
  unused: Candidates,
): Promise<string> {
  let deleted = 0;
  const failures: unknown[] = [];
  for (const [key, seen] of unused) {
    const found = await storage.find(key);
    if (found === undefined || !isSame(seen, found)) continue;
    if (found.modifiedAt.getTime() > clock.now() - SAFE_AGE_MS) continue;
    const isReferenced = await findReferenced(database.db, owners, [key]);
    if (isReferenced(key) !== false) continue;
    try {
      await storage.delete(key);
      deleted += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    const [first] = failures;
    throw new Error(
      `deleted ${countOf(deleted, 'file')}, could not delete ${failures.length}: ${first instanceof Error ? first.message : String(first)}`,
    );
  }
  return `deleted ${countOf(deleted, 'file')}, kept ${unused.size - deleted}`;
}

function isSame(
  a: Pick<ListedObject, 'size' | 'modifiedAt'>,
  b: Pick<ListedObject, 'size' | 'modifiedAt'>,
): boolean {
  return a.size === b.size && a.modifiedAt.getTime() === b.modifiedAt.getTime();
}

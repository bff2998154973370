import { createHash } from 'node:crypto';
import type { Database } from '../../platform/database/open.ts';
import type { Storage } from '../../platform/storage/port.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { findArtist } from '../artists/service.ts';
import { findSound, listSounds } from '../catalogue/service.ts';
import { reindexSound } from '../catalogue/search/comparing.ts';
import { own } from './tables.ts';

/**
 * Reads what visitors read first: the listing, a sound with its artist, a search for it, and its file, whose content is
 * compared with its hash. Without a public sound, only the listing and a search. Returns what failed, one line each.
 * `isIndexed`: the search index came with the database.
 */
export async function readAsVisitor(
  database: Database,
  storage: Storage,
  isIndexed: boolean,
): Promise<readonly string[]> {
  const newest = await own(database.db)
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['sounds.id', 'seq', 'title', 'username', 'audio_key', 'audio_size', 'content_hash'])
    .where('sounds.is_published', '=', 1)
    .orderBy('sounds.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const reads: readonly (readonly [name: string, read: () => Promise<boolean>])[] =
    newest === undefined
      ? [
          ['the listing', async () => (await listSounds(database, {}, null)).sounds.length === 0],
          ['a search', async () => (await listSounds(database, { search: '音' }, null)).sounds.length === 0],
        ]
      : toReads(database, storage, newest);
  if (newest !== undefined && !isIndexed) await reindexSound(database, newest.seq);
  const faults: string[] = [];
  for (const [name, read] of reads) {
    try {
      if (!(await read())) faults.push(`${name} of the restored site is wrong`);
    } catch (error) {
      faults.push(`${name} of the restored site failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  return faults;
}

interface Newest {
  readonly id: string;
  readonly title: string;
  readonly username: string;
  readonly audio_key: string;
  readonly audio_size: number;
  /** Null for a sound that was not uploaded: its key is the hash. */
  readonly content_hash: string | null;
}

function toReads(database: Database, storage: Storage, newest: Newest) {
  const { id, title, username: user } = newest;
  return [
    ['the listing', async () => (await listSounds(database, {}, null)).sounds.length > 0],
    [`the sound ${id}`, async () => (await findSound(database, id, null)) !== undefined],
    ['an artist', async () => (await findArtist(database, user)) !== undefined],
    ['a search', async () => (await listSounds(database, { search: title, user }, null)).sounds.length > 0],
    [`the file of the sound ${id}`, () => isFileWhole(storage, newest)],
  ] as const;
}

async function isFileWhole(
  storage: Storage,
  { audio_key, audio_size, content_hash }: Newest,
): Promise<boolean> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of (await storage.open(toSoundKey(audio_key))) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return bytes === audio_size && hash.digest('hex') === (content_hash ?? audio_key);
}

import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/open.ts';
import { updateSoundRow } from '../../catalogue/sound-rows.ts';
import { indexSound } from '../../catalogue/service.ts';
import { lockSound } from '../../catalogue/favorites/queries.ts';
import { toPopularity } from '../../catalogue/popularity.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import type { Db } from '../tables.ts';

/** The stored counts of a sound, and what its rows say. */
interface CountedSound {
  readonly seq: number;
  readonly id: string;
  readonly downloads: number;
  readonly favorites: number;
  readonly popularity: number;
  readonly favoriteRows: number;
  readonly downloadRows: number;
  /** Whether a row exists for everything that was counted; otherwise the rows are only a lower bound. */
  readonly hasAllFavorites: 0 | 1;
  readonly hasAllDownloads: 0 | 1;
}

type Counts = Pick<CountedSound, 'downloads' | 'favorites' | 'popularity'>;

export interface CountFault {
  readonly id: string;
  readonly found: string;
  /** The right counts; undefined if they cannot be known. */
  readonly right: Counts | undefined;
}

const FAULTS_MAX = 1_000;
const ARTISTS = 200;

/**
 * Sounds whose counts contradict their rows, or each other. Each artist's sounds are compared in one statement, which sees
 * one moment; at most `FAULTS_MAX` of an artist are returned.
 *
 * Refused downloads are deleted after a time, although they may be part of the public count. Only while one exists that is
 * older than a sound, all downloads of the sound have their rows. Sounds that were not uploaded, such as the demo's, begin
 * with counts that have none.
 */
export async function* findWrongCounts(db: Db): AsyncIterable<CountFault> {
  for (let after = ''; ;) {
    const artists = await db
      .selectFrom('sounds')
      .select('artist_id')
      .distinct()
      .where('artist_id', '>', after)
      .orderBy('artist_id')
      .limit(ARTISTS)
      .execute();
    for (const { artist_id } of artists) {
      for (const sound of await selectContradicting(db, sql`sounds.artist_id = ${artist_id}`)) {
        const fault = judge(sound);
        if (fault !== undefined) yield fault;
      }
    }
    const last = artists.at(-1);
    if (last === undefined) return;
    after = last.artist_id;
  }
}

/** Looks at the locked sound again, and sets its counts if they can be known. Returns whether it did. */
export async function repairCounts(database: Database, soundId: string): Promise<boolean> {
  return database.db.transaction().execute(async (transaction: Handle) => {
    const locked = await lockSound(transaction, soundId);
    if (locked === undefined) return false;
    const [sound] = await selectContradicting(transaction, sql`sounds.id = ${soundId}`);
    const right = sound && judge(sound)?.right;
    if (right === undefined) return false;
    const { downloads: download_count, favorites: favorite_count, popularity } = right;
    await updateSoundRow(transaction, locked.seq, { download_count, favorite_count, popularity });
    await indexSound(database, transaction, locked.seq);
    return true;
  });
}

/** `toPopularity`, which is linear. */
const POPULARITY = sql`(${sql.lit(toPopularity(1, 0))} * download_count + ${sql.lit(toPopularity(0, 1))} * favorite_count)`;

async function selectContradicting(db: Db, condition: RawBuilder<unknown>): Promise<CountedSound[]> {
  const { rows } = await sql<CountedSound>`
    select seq, id, download_count as downloads, favorite_count as favorites, popularity,
      favorite_rows as "favoriteRows", download_rows as "downloadRows",
      has_all_favorites as "hasAllFavorites", has_all_downloads as "hasAllDownloads"
    from (
      select sounds.seq, sounds.id, download_count, favorite_count, popularity,
        (select count(*) from favorites where favorites.sound_seq = sounds.seq) as favorite_rows,
        coalesce(counted.downloads, 0) as download_rows,
        case when content_hash is null then 0 else 1 end as has_all_favorites,
        case when content_hash is not null and sounds.created_at > (
          select min(created_at) from download_credits where state = 'refused'
        ) then 1 else 0 end as has_all_downloads
      from sounds left join (
        select sound_id, count(*) as downloads from download_credits
        where is_counted = 1 and artist_id in (select artist_id from sounds where ${condition})
        group by sound_id
      ) as counted on counted.sound_id = sounds.id
      where ${condition}
    ) as compared
    where popularity <> ${POPULARITY} or favorite_count < favorite_rows or download_count < download_rows
      or (has_all_favorites = 1 and favorite_count <> favorite_rows)
      or (has_all_downloads = 1 and download_count <> download_rows)
    limit ${FAULTS_MAX}`.execute(db);
  return rows;
}

/**
 * The popularity is a second record of both counts. A number is only set right if its rows are complete and the popularity
 * agrees with them; the popularity only if the rows confirm both counts. Otherwise rows may have been lost, and setting a
 * number would hide it.
 */
function judge(sound: CountedSound): CountFault | undefined {
  const { id, downloads, favorites, popularity, favoriteRows, downloadRows } = sound;
  const isPossible = (rows: number, count: number, hasAll: 0 | 1) =>
    hasAll === 1 ? rows === count : rows <= count;
  const hasRightDownloads = isPossible(downloadRows, downloads, sound.hasAllDownloads);
  const hasRightFavorites = isPossible(favoriteRows, favorites, sound.hasAllFavorites);
  const hasRightPopularity = popularity === toPopularity(downloads, favorites);
  if (hasRightDownloads && hasRightFavorites && hasRightPopularity) return undefined;

  const found = `sound ${id}: ${downloads} downloads (${downloadRows} rows), ${favorites} favourites (${favoriteRows} rows), popularity ${popularity}`;
  const candidates: Counts[] = [
    ...(sound.hasAllFavorites === 1 && hasRightDownloads
      ? [{ downloads, favorites: favoriteRows, popularity }]
      : []),
    ...(sound.hasAllDownloads === 1 && hasRightFavorites
      ? [{ downloads: downloadRows, favorites, popularity }]
      : []),
    ...(downloads === downloadRows && favorites === favoriteRows && sound.hasAllFavorites === 1
      ? [{ downloads, favorites, popularity: toPopularity(downloads, favorites) }]
      : []),
  ];
  const [right, ...others] = candidates.filter(
    (counts) => counts.popularity === toPopularity(counts.downloads, counts.favorites),
  );
  return { id, found, right: others.length === 0 ? right : undefined };
}

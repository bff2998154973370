import { SITE_MAP_PART_SIZE } from '../../../contract/site/site-map.ts';
import type { Db } from './tables.ts';

/** The number of parts of the site map, from the last seq alone: it costs the same whatever the catalogue contains. */
export async function countSiteMapParts(db: Db, partSize = SITE_MAP_PART_SIZE): Promise<number> {
  const last = await db.selectFrom('sounds').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return Math.ceil((last?.seq ?? 0) / partSize);
}

/**
 * The public sounds of a part, counted from 1, and the artists without a public sound in a later one. `updatedAt`: epoch
 * ms.
 */
export async function selectSiteMapPart(db: Db, part: number, partSize = SITE_MAP_PART_SIZE) {
  const end = part * partSize;
  const sounds = db
    .selectFrom('sounds')
    .where('sounds.is_published', '=', 1)
    .where('sounds.seq', '>', end - partSize)
    .where('sounds.seq', '<=', end);
  return {
    sounds: await sounds
      .select(['sounds.id', 'sounds.updated_at as updatedAt'])
      .orderBy('sounds.seq')
      .execute(),
    artists: await sounds
      .innerJoin('users', 'users.id', 'sounds.artist_id')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sounds as later')
              .select('later.seq')
              .whereRef('later.artist_id', '=', 'sounds.artist_id')
              .where('later.is_published', '=', 1)
              .where('later.seq', '>', end),
          ),
        ),
      )
      .select(['users.username', ({ fn }) => fn.max('sounds.updated_at').as('updatedAt')])
      .groupBy('users.username')
      .orderBy('users.username')
      .execute(),
  };
}

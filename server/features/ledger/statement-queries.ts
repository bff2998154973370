import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Month } from '../../../contract/months.ts';
import type { Schema } from '../../platform/database/database.ts';
import { toArtistAccount } from './postings.ts';

/** What the entry of a credited download refers to: this and the sound's id. */
export const SOUND_REFERENCE = 'sound:';

/** PostgreSQL adds whole numbers up to a text. */
type Sum = number | string;

/**
 * A month's rewards of an artist less what was taken back of them, one row a reference, with the title of the
 * sound that it names; null for one that is gone or somebody else's. Titles of what names no sound mean nothing.
 */
export function selectMonthByReference(db: Kysely<Schema>, userId: string, month: Month) {
  return db
    .selectFrom((from) =>
      from
        .selectFrom(selectMonth(db, userId, month).as('entries'))
        .select(({ fn }) => [
          'entries.reference',
          fn.sum<Sum>('entries.downloads').as('downloads'),
          fn.sum<Sum>('entries.reward').as('reward'),
        ])
        .groupBy('entries.reference')
        .as('lines'),
    )
    .leftJoin('sounds', (join) =>
      join
        .on('sounds.id', '=', sql<string>`substr(lines.reference, ${sql.lit(SOUND_REFERENCE.length + 1)})`)
        .on('sounds.artist_id', '=', userId),
    )
    .select(['lines.reference', 'lines.downloads', 'lines.reward', 'sounds.title'])
    .execute();
}

/** Each side is added up by its own index before the two are put together. */
function selectMonth(db: Kysely<Schema>, userId: string, month: Month) {
  const account = toArtistAccount(userId);
  const earned = db
    .selectFrom('ledger_entries')
    .select(({ fn }) => [
      'reference',
      fn.sum<Sum>('downloads').as('downloads'),
      fn.sum<Sum>('amount').as('reward'),
    ])
    .where('to_account', '=', account)
    .where('month', '=', month)
    .where('kind', '=', 'reward')
    .groupBy('reference');
  const takenBack = db
    .selectFrom('ledger_entries')
    .select(['reference', sql<Sum>`-sum(downloads)`.as('downloads'), sql<Sum>`-sum(amount)`.as('reward')])
    .where('from_account', '=', account)
    .where('month', '=', month)
    // A parameter would not do for an index of these alone.
    .where('kind', '=', sql.lit('reward-reversed' as const))
    .groupBy('reference');
  return earned.unionAll(takenBack);
}

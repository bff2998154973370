import { sql } from 'kysely';
import type { Month } from '../../../contract/values/months.ts';
import { toArtistAccount } from './postings.ts';
import type { Db } from './tables.ts';

/** Prefix of the reference of a credited download's entry, followed by the sound's id. */
export const SOUND_REFERENCE = 'sound:';

/** PostgreSQL returns sums of whole numbers as text. */
type Sum = number | string;

/**
 * An artist's rewards of a month less reversals, one row per reference, with the title of the sound in it; null when
 * the sound is deleted or belongs to another artist. The title is meaningless when the reference is not a sound.
 */
export function selectMonthByReference(db: Db, userId: string, month: Month) {
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
        .on('sounds.artist_id', '=', userId)
        .on('sounds.deleted_at', 'is', null),
    )
    .select(['lines.reference', 'lines.downloads', 'lines.reward', 'sounds.title'])
    .execute();
}

/** Rewards and reversals are each summed by their own index, then combined. */
function selectMonth(db: Db, userId: string, month: Month) {
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
  const reversed = db
    .selectFrom('ledger_entries')
    .select(['reference', sql<Sum>`-sum(downloads)`.as('downloads'), sql<Sum>`-sum(amount)`.as('reward')])
    .where('from_account', '=', account)
    .where('month', '=', month)
    // A literal, because a parameter would not match the partial index.
    .where('kind', '=', sql.lit('reward-reversed' as const))
    .groupBy('reference');
  return earned.unionAll(reversed);
}

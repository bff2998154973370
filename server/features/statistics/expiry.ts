import { listMonths, toDay, toFirstDay, toMonth } from '../../../contract/values/months.ts';
import { RETENTION_DAYS, MONTHS_BEFORE } from '../../../contract/artists/statistics.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { Platform } from '../../platform/http/context.ts';

/**
 * Deletes days whose months alone are kept, the keys of past months, and what can no longer be shown: words that too few
 * networks used in a past month, and all words from before the months that can be chosen.
 */
export async function deleteOldStatistics({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const { db } = database;
  const nowMs = clock.now();
  const [month = toDay(nowMs), ...before] = listMonths(toMonth(nowMs), MONTHS_BEFORE + 1).map(toFirstDay);
  const oldest = before.at(-1) ?? month;
  await deleteOlder(db, {
    table: 'sound_days',
    key: ['sound_seq', 'day'],
    when: ['day', '<', toDay(nowMs) - RETENTION_DAYS],
  });
  await deleteOlder(db, { table: 'word_keys', key: ['month'], when: ['month', '<', month] });
  const found = { table: 'found_words', key: ['sound_seq', 'month', 'word'] } as const;
  const missed = { table: 'missed_words', key: ['month', 'word'] } as const;
  for (const words of [found, missed]) {
    await deleteOlder(db, { ...words, when: ['month', '<', oldest] });
    await deleteOlder(db, {
      ...words,
      when: ['month', '<', month],
      also: (where) => where('is_shown', '=', 0),
    });
  }
}

import { DAY_MS } from '../../../contract/values/time-units.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { StoredKind } from './life-cycle.ts';

/**
 * Deletes the records of submissions that were decided `retentionDays` ago, with the record of who viewed them. A
 * submission whose files could not be destroyed yet stays, since its row names them.
 */
export async function deleteOldSubmissions(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  { table, files: [filesTable, submissionId] }: StoredKind,
  retentionDays: number,
): Promise<void> {
  const beforeMs = clock.now() - retentionDays * DAY_MS;
  await deleteOlder(db, {
    table,
    when: ['decided_at', '<', beforeMs],
    also: (where) =>
      where.and([
        where('state', 'not in', ['incoming', 'pending']),
        where('id', 'not in', (files) =>
          files.selectFrom(filesTable).select(submissionId).where('object_key', 'is not', null),
        ),
      ]),
  });
}

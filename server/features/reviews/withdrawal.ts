import type { Platform } from '../../platform/http/context.ts';
import { destroyFiles } from './life-cycle.ts';
import { PERSONAL_INFO } from './personal-info/kind.ts';
import { QUALITY_CHECK } from './quality-check/kind.ts';
import { own } from './tables.ts';

/**
 * Ends the submissions of a member whose account is being deleted and destroys their files. Applications are deleted; of
 * IDs, the dates and the deciding staff stay for `retainIdentityDays`. Throws when a file could not be destroyed.
 */
export async function withdrawSubmissions(
  deps: Pick<Platform, 'database' | 'storage' | 'logger' | 'clock'>,
  userId: string,
): Promise<void> {
  const { db } = deps.database;
  const decision = { decided_at: deps.clock.now(), decided_by: userId };
  for (const kind of [PERSONAL_INFO, QUALITY_CHECK]) {
    await own(db)
      .updateTable(kind.table)
      .set({ ...decision, state: 'rejected' })
      .where('user_id', '=', userId)
      .where('state', 'in', ['incoming', 'pending'])
      .execute();
    const submissions = await own(db)
      .selectFrom(kind.table)
      .select('id')
      .where('user_id', '=', userId)
      .execute();
    for (const { id } of submissions) await destroyFiles(deps, kind, id);
    const [filesTable, submissionId] = kind.files;
    const left = await own(db)
      .selectFrom(filesTable)
      .select(submissionId)
      .where('object_key', 'is not', null)
      .where(submissionId, 'in', (query) =>
        query.selectFrom(kind.table).select('id').where('user_id', '=', userId),
      )
      .executeTakeFirst();
    if (left !== undefined) throw new Error(`files of a ${kind.name} are left`);
  }
  await own(db).deleteFrom('quality_checks').where('user_id', '=', userId).execute();
  await own(db)
    .updateTable('personal_info_submissions')
    .set({ reason: '' })
    .where('user_id', '=', userId)
    .execute();
}

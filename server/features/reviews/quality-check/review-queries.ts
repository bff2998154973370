import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/database/database.ts';

type Db = Kysely<Schema>;

/** A number that one person can decide in one session. */
const LISTED_MAX = 500;

/** Waiting applications, oldest first. */
export function selectPending(db: Db) {
  return db
    .selectFrom('quality_checks as application')
    .innerJoin('users', 'users.id', 'application.user_id')
    .select(['application.id', 'application.submitted_at', 'users.username', 'users.email'])
    .select((eb) =>
      eb
        .selectFrom('quality_check_files')
        .select((count) => count.fn.countAll<number>().as('files'))
        .whereRef('quality_check_id', '=', 'application.id')
        .as('files'),
    )
    .where('application.state', '=', 'pending')
    .orderBy('application.submitted_at')
    .orderBy('application.id')
    .limit(LISTED_MAX)
    .execute();
}

export function findApplication(db: Db, id: string) {
  return db
    .selectFrom('quality_checks as application')
    .innerJoin('users', 'users.id', 'application.user_id')
    .leftJoin('users as staff', 'staff.id', 'application.decided_by')
    .select(['application.id', 'application.state', 'application.submitted_at', 'application.decided_at'])
    .select(['application.reason', 'users.id as user_id', 'users.username', 'users.email'])
    .select('staff.email as decided_by')
    .where('application.id', '=', id)
    .where('application.state', '!=', 'incoming')
    .executeTakeFirst();
}

export function selectFiles(db: Db, id: string) {
  return db
    .selectFrom('quality_check_files')
    .select([
      'slot',
      'filename',
      'mime',
      'size_bytes',
      'duration_ms',
      'bit_rate',
      'sample_rate',
      'object_key',
    ])
    .where('quality_check_id', '=', id)
    .orderBy('slot')
    .execute();
}

export function selectTypes(db: Db, id: string) {
  return db
    .selectFrom('quality_check_types')
    .innerJoin('sound_types', 'sound_types.id', 'type_id')
    .select('sound_types.name')
    .where('quality_check_id', '=', id)
    .orderBy('sound_types.position')
    .execute();
}

/** How often the same member was rejected, except by this application. */
export async function countRejections(db: Db, userId: string, exceptId: string): Promise<number> {
  const { count } = await db
    .selectFrom('quality_checks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('id', '!=', exceptId)
    .where('state', '=', 'rejected')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A file that staff may listen to: one of a waiting application. */
export function findWaitingFile(db: Db, applicationId: string, slot: number) {
  return db
    .selectFrom('quality_check_files')
    .innerJoin('quality_checks', 'quality_checks.id', 'quality_check_id')
    .select(['object_key', 'mime', 'sha256'])
    .where('quality_check_id', '=', applicationId)
    .where('slot', '=', slot)
    .where('state', '=', 'pending')
    .executeTakeFirst();
}

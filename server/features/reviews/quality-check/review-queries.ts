import { selectWithContent } from '../../catalogue/queries.ts';
import type { Db } from '../tables.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { own } from '../tables.ts';
import { LISTED_MAX } from '../../staff/rules.ts';

/** Waiting applications: oldest first, those put aside last. */
export function selectPending(db: Db) {
  return db
    .selectFrom('quality_checks as application')
    .innerJoin('users', 'users.id', 'application.user_id')
    .select(['application.id', 'application.submitted_at', 'application.parked_at'])
    .select(['users.username', 'users.email'])
    .select((eb) =>
      eb
        .selectFrom('quality_check_files')
        .select((count) => count.fn.countAll<number>().as('files'))
        .whereRef('quality_check_id', '=', 'application.id')
        .as('files'),
    )
    .where('application.state', '=', 'pending')
    .orderBy((eb) => eb.case().when('application.parked_at', 'is', null).then(0).else(1).end())
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
    .select([
      'application.reason',
      'application.parked_at',
      'users.id as user_id',
      'users.username',
      'users.email',
    ])
    .select(['staff.email as decided_by', 'staff.username as decided_by_name'])
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
      'sha256',
      'analysis',
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

/** Members who are listed beside a file. */
const ALSO_FROM_MAX = 20;

/** Other members who sent or uploaded one of these files: pairs of hash and username. */
export async function selectAlsoFrom(db: Handle, userId: string, hashes: readonly string[]) {
  const sent = await own(db)
    .selectFrom('quality_check_files as file')
    .innerJoin('quality_checks as application', 'application.id', 'file.quality_check_id')
    .innerJoin('users', 'users.id', 'application.user_id')
    .select(['file.sha256 as hash', 'users.username'])
    .distinct()
    .where('file.sha256', 'in', hashes)
    .where('application.user_id', '!=', userId)
    .limit(ALSO_FROM_MAX)
    .execute();
  const uploaded = await selectWithContent(db, hashes)
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select('users.username')
    .select(({ fn }) => fn.coalesce('sounds.content_hash', 'sounds.audio_key').as('hash'))
    .distinct()
    .where('sounds.artist_id', '!=', userId)
    .limit(ALSO_FROM_MAX)
    .execute();
  return [...sent, ...uploaded];
}

/** Puts a waiting application aside, or back. */
export async function updateParked(db: Db, id: string, parked_at: number | null): Promise<void> {
  await db
    .updateTable('quality_checks')
    .set({ parked_at })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
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

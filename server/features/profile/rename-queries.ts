import type { Kysely, Selectable } from 'kysely';
import type { DialectName } from '../../database/migration.ts';
import { randomId } from '../../database/random-id.ts';
import type { Schema } from '../../database/schema.ts';
import type { UnindexedRenamesTable } from '../../database/schema-profiles.ts';
import type { ComparedName } from '../artists/former-usernames.ts';

type Db = Kysely<Schema>;

/** Whether another member has this name or one that looks like it. */
export async function isNameOfAnother(db: Db, name: ComparedName, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((where) =>
      where.or([
        where('username_key', '=', name.username_key),
        where('username_skeleton', '=', name.username_skeleton),
      ]),
    )
    .where('id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** All of an artist's sounds are to be indexed, also those that an earlier rename has come to. */
export async function noteUnindexedRename(db: Db, userId: string): Promise<void> {
  const values = { rename_id: randomId(), after_seq: 0 };
  await db
    .insertInto('unindexed_renames')
    .values({ user_id: userId, ...values })
    .onConflict((on) => on.column('user_id').doUpdateSet(values))
    .execute();
}

export async function selectUnindexedRenames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('unindexed_renames').select('user_id').execute();
  return rows.map((row) => row.user_id);
}

export type UnindexedRename = Selectable<UnindexedRenamesTable>;

export function findUnindexedRename(db: Db, userId: string): Promise<UnindexedRename | undefined> {
  return db.selectFrom('unindexed_renames').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** The next sounds of an artist, in the order and with the lock in which everybody takes sounds. */
export async function lockSoundsAfter(
  db: Db,
  dialect: DialectName,
  { user_id, after_seq }: UnindexedRename,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('sounds')
    .select('seq')
    .where('artist_id', '=', user_id)
    .where('seq', '>', after_seq)
    .orderBy('seq')
    .limit(limit)
    .$if(dialect === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return rows.map((row) => row.seq);
}

/** Unless another rename, or another process, has come in between. */
export async function moveUnindexedRename(db: Db, from: UnindexedRename, afterSeq: number): Promise<void> {
  await db
    .updateTable('unindexed_renames')
    .set({ after_seq: afterSeq })
    .where('user_id', '=', from.user_id)
    .where('rename_id', '=', from.rename_id)
    .where('after_seq', '=', from.after_seq)
    .execute();
}

/** Unless another rename has come in between. */
export async function deleteUnindexedRename(db: Db, done: UnindexedRename): Promise<void> {
  await db
    .deleteFrom('unindexed_renames')
    .where('user_id', '=', done.user_id)
    .where('rename_id', '=', done.rename_id)
    .execute();
}

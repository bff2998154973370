import { changesRows } from '../../platform/database/statements/outcomes.ts';
import type { Db } from './tables.ts';

export function findSecondFactor(db: Db, userId: string) {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

export function selectSecondFactors(db: Db, limit: number) {
  return db
    .selectFrom('second_factors')
    .select(['user_id', 'secret'])
    .where('confirmed_at', 'is not', null)
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

/** Begins anew unless the second factor is on. Returns whether it did. */
export async function insertSecondFactor(
  db: Db,
  row: { readonly user_id: string; readonly secret: string; readonly created_at: number },
): Promise<boolean> {
  await db
    .deleteFrom('second_factors')
    .where('user_id', '=', row.user_id)
    .where('confirmed_at', 'is', null)
    .execute();
  return changesRows(
    db
      .insertInto('second_factors')
      .values({ ...row, last_step: 0, confirmed_at: null })
      .onConflict((conflict) => conflict.column('user_id').doNothing()),
  );
}

/** Uses up the codes of a time step and of those before it. Returns false if they have been used already. */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  return changesRows(
    db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step),
  );
}

/** Turns the second factor on. Returns false if it is on already. */
export async function confirmSecondFactor(db: Db, userId: string, confirmed_at: number): Promise<boolean> {
  return changesRows(
    db
      .updateTable('second_factors')
      .set({ confirmed_at })
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is', null),
  );
}

/** Also deletes its recovery codes, and resets it in the member's sessions. Returns whether there was one. */
export async function deleteSecondFactor(db: Db, userId: string): Promise<boolean> {
  const existed = await changesRows(db.deleteFrom('second_factors').where('user_id', '=', userId));
  await db.updateTable('sessions').set({ second_factor_at: 0 }).where('user_id', '=', userId).execute();
  return existed;
}

export async function insertRecoveryCodes(db: Db, user_id: string, hashes: readonly string[]): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute();
}

/** Uses a recovery code up. Of concurrent calls, one gets true. */
export async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  return changesRows(
    db.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', '=', hash),
  );
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select((count) => count.fn.countAll<number>().as('codes'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.codes);
}

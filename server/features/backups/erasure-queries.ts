import { DAY_MS } from '../../../contract/values/time-units.ts';
import { DELETION_GRACE_DAYS } from '../../../contract/accounts/own-data.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { Erasures } from './erasures.ts';
import type { Db } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { updateMemberRow } from '../accounts/queries.ts';
import { updateSoundRow, withholdSounds, SOUND_GRACE_DAYS } from '../catalogue/sound-rows.ts';
import { own } from './tables.ts';

/** Ids of one statement. */
const IDS = 500;

/** Records that an account or a sound was erased, so that a restored backup does not bring it back. */
export async function recordErasure(
  db: Db,
  { id, kind }: { readonly id: string; readonly kind: 'account' | 'sound' },
  erased_at: number,
): Promise<void> {
  await db
    .insertInto('erasures')
    .values({ id, kind, erased_at })
    .onConflict((on) => on.column('id').doUpdateSet({ erased_at }))
    .execute();
}

export function deleteOldErasures(db: Db, beforeMs: number): Promise<number> {
  return deleteOlder(db, { table: 'erasures', when: ['erased_at', '<', beforeMs] });
}

/** Those from before a time, the newest first. */
export function selectNewestErasures(db: Db, beforeMs: number, limit: number) {
  return db
    .selectFrom('erasures')
    .select(['id', 'erased_at'])
    .where('erased_at', '<', beforeMs)
    .orderBy('erased_at', 'desc')
    .limit(limit)
    .execute();
}

export async function selectErasures(db: Db): Promise<Erasures> {
  const rows = await db.selectFrom('erasures').selectAll().execute();
  const toTimes = (kind: 'account' | 'sound') =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, erased_at }) => [id, erased_at]));
  return { accounts: toTimes('account'), sounds: toTimes('sound') };
}

/**
 * Marks what is in the database although it was erased, as if its deletion had been requested in time: it is hidden at
 * once, and the scheduled jobs erase it. Adds no row, so that a restore can be repeated. Uses only columns of the first
 * migration. Returns how many accounts and sounds are marked now.
 */
export async function markErased(
  handle: Handle,
  { accounts, sounds }: Erasures,
): Promise<{ readonly accounts: number; readonly sounds: number }> {
  const db = own(handle);
  const marked = { accounts: 0, sounds: 0 };
  for (const ids of toPieces(accounts)) {
    const there = db.selectFrom('users').select('id').where('id', 'in', ids).where('deleted_at', 'is', null);
    for (const { id } of await there.orderBy('id').forUpdate().execute()) {
      const deletion_requested_at = (accounts[id] ?? 0) - DELETION_GRACE_DAYS * DAY_MS;
      await updateMemberRow(handle, id, { deletion_requested_at, is_blocked: 1 });
      await withholdSounds(handle, id);
      marked.accounts += 1;
    }
  }
  for (const ids of toPieces(sounds)) {
    const there = db.selectFrom('sounds').select(['id', 'seq']).where('id', 'in', ids);
    for (const { id, seq } of await there.orderBy('id').forUpdate().execute()) {
      const deleted_at = (sounds[id] ?? 0) - SOUND_GRACE_DAYS * DAY_MS;
      await updateSoundRow(handle, seq, { deleted_at, is_published: 0 });
      marked.sounds += 1;
    }
  }
  return marked;
}

function* toPieces(times: Readonly<Record<string, number>>): Generator<string[]> {
  const ids = Object.keys(times);
  for (let at = 0; at < ids.length; at += IDS) yield ids.slice(at, at + IDS);
}

import { toDayStart } from '../../../contract/values/months.ts';
import { toUsernameKey } from '../../../contract/accounts/usernames.ts';
import type { DownloadCreditsTable, Db } from './tables.ts';

export type CreditState = DownloadCreditsTable['state'];

/** Credits in a state; of all artists and days unless one is given. */
export interface CreditFilter {
  readonly state: CreditState;
  readonly artistId?: string | undefined;
  /** Day of the download (`toDay`). */
  readonly day?: number | undefined;
  /** The moment of the last download (epoch ms); later ones are left out. */
  readonly until?: number | undefined;
}

/** All held credits of an artist, or only those of one day. */
export type HeldCreditFilter = Omit<CreditFilter, 'state'> & { readonly artistId: string };

/** Credits for the staff: held ones oldest first, all others newest first. */
export function selectCredits(db: Db, filter: CreditFilter, limit: number, offset = 0) {
  const order = filter.state === 'held' ? 'asc' : 'desc';
  return selectFrom(db, filter)
    .innerJoin('users', 'users.id', 'credits.artist_id')
    .leftJoin('sounds', 'sounds.id', 'credits.sound_id')
    .leftJoin('users as staff', 'staff.id', 'credits.decided_by')
    .select(['credits.id', 'credits.created_at', 'credits.yen', 'credits.reason', 'credits.sound_id'])
    .select(['credits.visitor', 'credits.network', 'credits.artist_id', 'users.username as artist'])
    .select(['sounds.title', 'credits.decided_at', 'staff.username as decided_by_name', 'users.is_blocked'])
    .orderBy('credits.created_at', order)
    .orderBy('credits.id', order)
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countHeldCredits(db: Db, filter: HeldCreditFilter): Promise<number> {
  const { credits } = await selectFrom(db, { state: 'held', ...filter })
    .select(({ fn }) => fn.countAll<number>().as('credits'))
    .executeTakeFirstOrThrow();
  return Number(credits);
}

function selectFrom(db: Db, { state, artistId, day, until }: CreditFilter) {
  const ofState = db.selectFrom('download_credits as credits').where('credits.state', '=', state);
  const upToUntil = until === undefined ? ofState : ofState.where('credits.created_at', '<=', until);
  const ofArtist = artistId === undefined ? upToUntil : upToUntil.where('credits.artist_id', '=', artistId);
  if (day === undefined) return ofArtist;
  return ofArtist
    .where('credits.created_at', '>=', toDayStart(day))
    .where('credits.created_at', '<', toDayStart(day + 1));
}

/** Marks a credited download as reversed. Of concurrent calls, one gets it and the others undefined. */
export function markReversed(
  db: Db,
  creditId: string,
  decision: { readonly reason: string; readonly decided_at: number; readonly decided_by: string },
) {
  return db
    .updateTable('download_credits')
    .set({ ...decision, state: 'reversed' })
    .where('id', '=', creditId)
    .where('state', '=', 'credited')
    .returning(['intent_id', 'artist_id', 'created_at'])
    .executeTakeFirst();
}

export async function findUserIdByName(db: Db, username: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', toUsernameKey(username))
    .executeTakeFirst();
  return row?.id;
}

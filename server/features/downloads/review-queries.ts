import type { Kysely } from 'kysely';
import { toDayStart } from '../../../contract/months.ts';
import { toUsernameKey } from '../../../contract/usernames.ts';
import type { DownloadCreditsTable, Schema } from '../../platform/database/database.ts';

type Db = Kysely<Schema>;

export type CreditState = DownloadCreditsTable['state'];

/** Credits in a state; of all artists and days unless one is named. */
export interface CreditFilter {
  readonly state: CreditState;
  readonly artistId?: string | undefined;
  /** Of the download (`toDay`). */
  readonly day?: number | undefined;
}

/** All held credits of an artist, or those of one day. */
export type HeldCredits = Omit<CreditFilter, 'state'> & { readonly artistId: string };

/** What the staff looks at: of held ones the oldest first, of all others the newest. */
export function selectCredits(db: Db, filter: CreditFilter, limit: number) {
  const order = filter.state === 'held' ? 'asc' : 'desc';
  return selectFrom(db, filter)
    .innerJoin('users', 'users.id', 'credits.artist_id')
    .leftJoin('sounds', 'sounds.id', 'credits.sound_id')
    .select(['credits.id', 'credits.created_at', 'credits.yen', 'credits.reason', 'credits.sound_id'])
    .select(['credits.visitor', 'credits.network', 'users.username as artist', 'sounds.title'])
    .orderBy('credits.created_at', order)
    .orderBy('credits.id', order)
    .limit(limit)
    .execute();
}

export async function countHeld(db: Db, held: HeldCredits): Promise<number> {
  const { credits } = await selectFrom(db, { state: 'held', ...held })
    .select(({ fn }) => fn.countAll<number>().as('credits'))
    .executeTakeFirstOrThrow();
  return Number(credits);
}

function selectFrom(db: Db, { state, artistId, day }: CreditFilter) {
  const ofState = db.selectFrom('download_credits as credits').where('credits.state', '=', state);
  const ofArtist = artistId === undefined ? ofState : ofState.where('credits.artist_id', '=', artistId);
  if (day === undefined) return ofArtist;
  return ofArtist
    .where('credits.created_at', '>=', toDayStart(day))
    .where('credits.created_at', '<', toDayStart(day + 1));
}

/** Takes a credit off the books that is on them; of several who try at once one gets it, the others undefined. */
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

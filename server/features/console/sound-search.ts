import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { SOUNDS_PAGE_SIZE, SOUND_STATES } from '../../../contract/operator/sounds.ts';
import type { FoundSound, SoundState } from '../../../contract/operator/sounds.ts';
import { cleanLine } from '../../../contract/values/texts.ts';
import { toUsernameKey } from '../../../contract/accounts/usernames.ts';
import { LAST_CODE_POINT } from '../../platform/database/drivers/code-points.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { toSoundState, toSoundTitleKey } from '../catalogue/tables.ts';
import type { Database } from '../../platform/database/open.ts';
import { own } from './tables.ts';

export interface SoundFilter {
  /** The beginning of a title, or an id. */
  readonly search: string;
  /** A username. */
  readonly artist: string;
  /** All states unless one is given. */
  readonly state: SoundState | undefined;
  /** From 1. */
  readonly page: number;
}

const STATE = toSoundState('sounds.');

/**
 * A page of sounds for the staff: by id, or by the beginning of the title, or the newest. Reads entries of an index that
 * begin with what is searched, no more than the page and those before it in each state; of an artist, all sounds.
 */
export async function findSounds(
  database: Database,
  filter: SoundFilter,
): Promise<{ readonly results: FoundSound[]; readonly has_more: boolean }> {
  const search = cleanLine(filter.search);
  if (isId(search)) {
    const results = await selectFound(database).where('sounds.id', '=', search).execute();
    if (results.length > 0) return { results, has_more: false };
  }
  const artist = cleanLine(filter.artist);
  const seqs = await (artist === ''
    ? selectSeqs(database, { ...filter, search })
    : selectSeqsOf(database, artist, { ...filter, search }));
  if (seqs.length === 0) return { results: [], has_more: false };
  const found = await selectFound(database).select('sounds.seq').where('sounds.seq', 'in', seqs).execute();
  const bySeq = new Map(found.map(({ seq, ...sound }) => [seq, sound]));
  return {
    results: seqs.slice(0, SOUNDS_PAGE_SIZE).flatMap((seq) => bySeq.get(seq) ?? []),
    has_more: seqs.length > SOUNDS_PAGE_SIZE,
  };
}

function selectFound({ db }: Database) {
  return own(db)
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['sounds.id', 'sounds.title', 'users.username as artist', 'sounds.created_at'])
    .select(['sounds.download_count as downloads', STATE.as('state')]);
}

/** One state at a time, each in the order of its index: with several, a database would sort all of their sounds. */
async function selectSeqs(database: Database, filter: SoundFilter): Promise<number[]> {
  const { search, state } = filter;
  const limit = filter.page * SOUNDS_PAGE_SIZE + 1;
  const key = toSoundTitleKey(database.dialect, 'sounds.');
  const order = search === '' ? sql`seq desc` : sql`title_key, seq`;
  const parts = (state === undefined ? SOUND_STATES : [state]).map(
    (each): RawBuilder<unknown> => sql`select * from (
      select seq, ${search === '' ? sql`''` : key} as title_key from sounds
      where ${STATE} = ${each} ${search === '' ? sql`` : sql`and ${startsWith(key, search)}`}
      order by ${order} limit ${limit}) as part`,
  );
  const { rows } = await sql<{ seq: number }>`
    select seq from (${sql.join(parts, sql` union all `)}) as found
    order by ${order} limit ${SOUNDS_PAGE_SIZE + 1} offset ${limit - 1 - SOUNDS_PAGE_SIZE}`.execute(
    database.db,
  );
  return rows.map(({ seq }) => seq);
}

async function selectSeqsOf(
  database: Database,
  artist: string,
  { search, state, page }: SoundFilter,
): Promise<number[]> {
  const key = toSoundTitleKey(database.dialect, 'sounds.');
  const rows = await own(database.db)
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select('sounds.seq')
    .where('users.username_key', '=', toUsernameKey(artist))
    .$if(state !== undefined, (query) => query.where(STATE, '=', state ?? 'public'))
    .$if(search !== '', (query) => query.where(startsWith(key, search)))
    .orderBy('sounds.seq', 'desc')
    .limit(SOUNDS_PAGE_SIZE + 1)
    .offset((page - 1) * SOUNDS_PAGE_SIZE)
    .execute();
  return rows.map(({ seq }) => seq);
}

function startsWith(key: RawBuilder<string>, search: string): RawBuilder<boolean> {
  const prefix = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return sql<boolean>`(${key} >= ${prefix} and ${key} <= ${prefix + LAST_CODE_POINT})`;
}

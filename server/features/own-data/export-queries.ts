import { IS_THERE } from '../catalogue/visibility.ts';
import { toArtistAccount } from '../ledger/postings.ts';
import type { Db } from './tables.ts';

/** Few enough for memory, many enough for speed. */
const WINDOW_ROWS = 500;

export function selectOwner(db: Db, userId: string) {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
}

/** When it was set up; the secret is in no export. */
export function selectSecondFactor(db: Db, userId: string) {
  return db
    .selectFrom('second_factors')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** With the names of their sub-genres. */
export async function selectSoundsAfter(db: Db, userId: string, after: number) {
  const sounds = await db
    .selectFrom('sounds')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .leftJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .leftJoin('sound_findings', 'sound_findings.sound_seq', 'sounds.seq')
    .select(['sound_features.effective_bpm', 'sound_features.effective_key'])
    .select(['sound_findings.loudness_lufs', 'sound_findings.true_peak_dbtp'])
    .select(['sounds.seq', 'sounds.id', 'sounds.title', 'sounds.description', 'sounds.filename'])
    .select(['sounds.duration_ms', 'sounds.audio_size', 'sounds.is_published', 'sounds.is_ai_generated'])
    .select(['sounds.download_count', 'sounds.favorite_count', 'sounds.created_at', 'sounds.updated_at'])
    .select([
      'sounds.is_loopable',
      'sounds.has_vocals',
      'sounds.moods',
      'sounds.licence_uses',
      'sounds.content_id',
    ])
    .select(['sounds.hidden_reason', 'sounds.deleted_at', 'sound_types.name as type'])
    .where('sounds.artist_id', '=', userId)
    .where('sounds.seq', '>', after)
    .orderBy('sounds.seq')
    .limit(WINDOW_ROWS)
    .execute();
  if (sounds.length === 0) return [];
  const names = await db
    .selectFrom('sound_sub_genres')
    .innerJoin('sub_genres', 'sub_genres.id', 'sub_genre_id')
    .select(['sound_seq', 'sub_genres.name'])
    .where(
      'sound_seq',
      'in',
      sounds.map(({ seq }) => seq),
    )
    .orderBy('sub_genres.id')
    .execute();
  const bySound = Map.groupBy(names, ({ sound_seq }) => sound_seq);
  return sounds.map((sound) => ({
    ...sound,
    sub_genres: bySound.get(sound.seq)?.map(({ name }) => name) ?? [],
  }));
}

/** What changes of sounds replaced, of the last seven days. */
export function selectSoundChangesAfter(db: Db, userId: string, after: number) {
  return db
    .selectFrom('sound_changes')
    .innerJoin('sounds', 'sounds.seq', 'sound_changes.sound_seq')
    .select(['sound_changes.seq', 'sound_changes.before', 'sound_changes.changed_at', 'sounds.title'])
    .where('sound_changes.artist_id', '=', userId)
    .where('sound_changes.seq', '>', after)
    .orderBy('sound_changes.seq')
    .limit(WINDOW_ROWS)
    .execute();
}

/** Those that the member can see; a sound that is hidden now belongs to its artist alone. */
export function selectFavoritesAfter(db: Db, userId: string, after: number) {
  return db
    .selectFrom('favorites')
    .innerJoin('sounds', 'sounds.seq', 'favorites.sound_seq')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['favorites.sound_seq', 'favorites.created_at', 'sounds.id', 'sounds.title', 'users.username'])
    .where('favorites.user_id', '=', userId)
    .where('favorites.sound_seq', '>', after)
    .where((where) =>
      where.or([where('sounds.is_published', '=', 1), where('sounds.artist_id', '=', userId)]),
    )
    .where(IS_THERE)
    .orderBy('favorites.sound_seq')
    .limit(WINDOW_ROWS)
    .execute();
}

/** What an account received and gave, each read from its index: a condition with `or` would sort all entries each time. */
export function selectEntriesAfter(db: Db, userId: string, after: number) {
  const readSide = (side: 'from_account' | 'to_account') =>
    db
      .selectFrom('ledger_entries')
      .select(['seq', 'kind', 'amount', 'downloads', 'month', 'reference', 'created_at', 'to_account'])
      .where(side, '=', toArtistAccount(userId))
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(WINDOW_ROWS);
  return db
    .selectFrom(readSide('to_account').as('received'))
    .selectAll()
    .unionAll(db.selectFrom(readSide('from_account').as('given')).selectAll())
    .orderBy('seq')
    .limit(WINDOW_ROWS)
    .execute();
}

/** Small tables of a member: a bounded number of the newest rows each. */
const ROWS_MAX = 10_000;

export function selectTransfers(db: Db, userId: string) {
  return db
    .selectFrom('transfer_requests')
    .select(['created_at', 'amount', 'state', 'decided_at', 'reason', 'email'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(ROWS_MAX)
    .execute();
}

export function selectMessages(db: Db, userId: string) {
  return db
    .selectFrom('contact_messages')
    .select(['created_at', 'name', 'email', 'message'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(ROWS_MAX)
    .execute();
}

export function selectSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['created_at', 'authenticated_at', 'rotated_at', 'expires_at', 'device', 'network'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(ROWS_MAX)
    .execute();
}

export async function selectSubmissions(db: Db, userId: string) {
  const tables = ['personal_info_submissions', 'quality_checks'] as const;
  const found = [];
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select(['submitted_at', 'state', 'decided_at', 'reason'])
      .where('user_id', '=', userId)
      .where('state', '!=', 'incoming')
      .orderBy('submitted_at', 'desc')
      .limit(ROWS_MAX)
      .execute();
    found.push(...rows.map((row) => ({ table, ...row })));
  }
  return found;
}

export function selectDownloads(db: Db, userId: string) {
  return db
    .selectFrom('download_credits')
    .leftJoin('sounds', (join) =>
      join.onRef('sounds.id', '=', 'download_credits.sound_id').on('sounds.is_published', '=', 1),
    )
    .select(['download_credits.created_at', 'download_credits.sound_id', 'sounds.title'])
    .where('download_credits.user_id', '=', userId)
    .orderBy('download_credits.created_at', 'desc')
    .limit(ROWS_MAX)
    .execute();
}

/** The key is that of the row before. */
export function selectCertificatesAfter(
  db: Db,
  userId: string,
  { issued_at, id }: { readonly issued_at: number; readonly id: string },
) {
  return db
    .selectFrom('certificates')
    .select(['issued_at', 'id', 'body'])
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([
        where('issued_at', '>', issued_at),
        where.and([where('issued_at', '=', issued_at), where('id', '>', id)]),
      ]),
    )
    .orderBy('issued_at')
    .orderBy('id')
    .limit(WINDOW_ROWS)
    .execute();
}

/** What the member told artists with certificates of own downloads. */
export function selectToldUses(db: Db, userId: string) {
  return db
    .selectFrom('certificates')
    .innerJoin('uses', 'uses.certificate_id', 'certificates.id')
    .select(['uses.created_at', 'uses.title', 'uses.address', 'uses.message', 'uses.sound_id'])
    .where('certificates.user_id', '=', userId)
    .orderBy('uses.created_at', 'desc')
    .limit(ROWS_MAX)
    .execute();
}

export function selectFormerNames(db: Db, userId: string) {
  return db
    .selectFrom('former_usernames')
    .select(['username_key', 'since'])
    .where('user_id', '=', userId)
    .orderBy('since', 'desc')
    .execute();
}

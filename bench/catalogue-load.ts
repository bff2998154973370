import { sql } from 'kysely';
import { toChunkTokens } from '../server/platform/database/search-index/seq-windows.ts';
import type { Database } from '../server/platform/database/open.ts';
import { createGenre, createSoundType } from '../server/features/catalogue/genres/service.ts';
import { openDictionary } from '../server/features/catalogue/search/dictionary.ts';
import { toSearchTokens } from '../server/features/catalogue/search/tokens.ts';
import {
  GENRES,
  READ_TEXTS,
  TYPES,
  generateRow,
  toArtistCount,
  toArtistId,
  toArtistName,
  withReadTokens,
} from './catalogue-rows.ts';
import type { GeneratedRow, ReadTexts } from './catalogue-rows.ts';
import { everyTable } from '../server/platform/database/schema.ts';
import type { Handle } from '../server/platform/database/handle.ts';

const BATCH = 1_000;

/** Fills an empty database with generated sounds, as fast as possible; rows only, no files. */
export async function loadCatalogue(database: Database, sounds: number): Promise<void> {
  for (const name of TYPES) await createSoundType(database, { name });
  for (const [name, subGenres] of Object.entries(GENRES)) await createGenre(database, { name, subGenres });
  const texts = await readTexts();
  const { db, dialect } = database;
  if (dialect === 'sqlite') {
    await sql`pragma synchronous = off`.execute(db);
    await sql`pragma foreign_keys = off`.execute(db);
    await sql`insert into sound_search (sound_search, rank) values ('hashsize', 67108864)`.execute(db);
  } else {
    await sql`drop index sound_search_tokens`.execute(db);
  }
  await loadArtists(database, toArtistCount(sounds));
  for (let first = 1; first <= sounds; first += BATCH) await loadSounds(database, toRows(first, sounds));
  if (dialect === 'sqlite') {
    // The index is ordered newest first, and FTS5 inserts rows fast only in index order.
    await db.transaction().execute(async (transaction: Handle) => {
      for (let seq = sounds; seq >= 1; seq--)
        await database.search.put(
          transaction,
          seq,
          toSearchTokens(withReadTokens(generateRow(seq, sounds), texts)),
        );
    });
    await sql`insert into sound_search (sound_search, rank) values ('hashsize', 1048576)`.execute(db);
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    await sql`pragma synchronous = full`.execute(db);
    await sql`pragma foreign_keys = on`.execute(db);
  } else {
    for (let first = 1; first <= sounds; first += BATCH)
      await loadTokens(database, toRows(first, sounds), texts);
    await sql`select setval(pg_get_serial_sequence('sounds', 'seq'), ${sounds})`.execute(db);
    await db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection);
      await sql`set maintenance_work_mem = '2GB'`.execute(connection);
      await sql`create index sound_search_tokens on sound_search using gin (tokens) with (fastupdate = off)`.execute(
        connection,
      );
      await sql`vacuum analyze`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
    });
  }
}

function toRows(first: number, sounds: number): GeneratedRow[] {
  const count = Math.min(BATCH, sounds - first + 1);
  return Array.from({ length: count }, (_, index) => generateRow(first + index, sounds));
}

async function loadArtists(database: Database, artists: number): Promise<void> {
  for (let first = 0; first < artists; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, artists - first) }, (_, index) => ({
      id: toArtistId(first + index),
      username: toArtistName(first + index),
      username_key: toArtistName(first + index),
      username_skeleton: toArtistName(first + index),
      email: `${first + index}@example.test`,
      email_key: `${first + index}@example.test`,
      is_verified: 1 as const,
      created_at: 0,
    }));
    await everyTable(database.db).insertInto('users').values(rows).execute();
  }
}

async function loadSounds({ db }: Database, rows: readonly GeneratedRow[]): Promise<void> {
  const sounds = rows.map((row) => ({
    seq: row.seq,
    id: `sound${String(row.seq).padStart(11, '0')}`,
    artist_id: row.artistId,
    type_id: row.typeId,
    title: row.title,
    description: row.description,
    filename: `${row.seq}.mp3`,
    audio_key: row.seq.toString(16).padStart(64, '0'),
    audio_mime: 'audio/mpeg',
    audio_size: 480_000,
    duration_ms: 30_000,
    bit_rate: 128,
    sample_rate: 44_100,
    peaks: '0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr',
    thumbnail_key: row.seq % 3 === 0 ? null : row.seq.toString(16).padStart(64, '0'),
    is_published: row.isPublished ? (1 as const) : (0 as const),
    is_ai_generated: row.isAiGenerated ? (1 as const) : (0 as const),
    ...row.counts,
    created_at: row.createdAtMs,
    updated_at: row.createdAtMs,
  }));
  const subGenres = rows.flatMap((row) =>
    row.subGenreIds.map((id) => ({ sound_seq: row.seq, sub_genre_id: id })),
  );
  await db.transaction().execute(async (transaction) => {
    await everyTable(transaction).insertInto('sounds').values(sounds).execute();
    await everyTable(transaction).insertInto('sound_sub_genres').values(subGenres).execute();
  });
}

async function readTexts(): Promise<ReadTexts> {
  const dictionary = openDictionary();
  const words = await dictionary.read(READ_TEXTS);
  await dictionary.close();
  return new Map(READ_TEXTS.map((text, index) => [text, words[index] ?? []]));
}

async function loadTokens({ db }: Database, rows: readonly GeneratedRow[], texts: ReadTexts): Promise<void> {
  const seqs = rows.map((row) => row.seq);
  const tokens = rows.map((row) =>
    [...toSearchTokens(withReadTokens(row, texts)), ...toChunkTokens(row.seq)].join(' '),
  );
  await sql`
    insert into sound_search (seq, type_id, is_ai_generated, download_count, favorite_count, popularity, tokens)
    select seq, type_id, is_ai_generated, download_count, favorite_count, popularity,
      array_to_tsvector(string_to_array(row.tokens, ' '))
    from unnest(${seqs}::int[], ${tokens}::text[]) row (seq, tokens) join sounds using (seq)
  `.execute(db);
}

import { sql } from 'kysely';
import type { DialectName, Migration } from '../migrations/migration.ts';

/** What the words of a sound are read as. */
interface SoundPronunciationsTable {
  sound_seq: number;
  /** Of the texts: a sound whose texts have changed since then is read again. */
  source_hash: string;
  /** Tokens of the search index, separated by spaces. */
  index_tokens: string;
  /** Only earlier versions of the program use these. */
  name_tokens: string;
  text_tokens: string;
}

/** Sounds whose pronunciations are to be found. */
interface UnpronouncedSoundsTable {
  sound_seq: number;
}

/** Artists whose sounds, from some seq on, are still indexed as they were before a change. */
export interface UnindexedArtistsTable {
  user_id: string;
  /** New for each change: a process that indexes an earlier change must start again. */
  change_id: string;
  /** The last sound that has been reindexed. */
  after_seq: number;
}

/** Groups of words that the operator wants to be found for one another. */
interface SearchSynonymsTable {
  id: string;
  /** A line in the format of `parseSynonyms`. */
  words: string;
  created_at: number;
}

/** `sound_search` itself is only used by the search index of each database. */
export interface SearchTables {
  sound_pronunciations: SoundPronunciationsTable;
  unpronounced_sounds: UnpronouncedSoundsTable;
  unindexed_artists: UnindexedArtistsTable;
  search_synonyms: SearchSynonymsTable;
}

export function toSearchTables(dialect: DialectName): string[] {
  return [...(dialect === 'sqlite' ? SQLITE_INDEX : POSTGRES_INDEX), ...STATEMENTS];
}

/**
 * See search-index.ts. The program makes the tokens, so the database must not split them: `ascii` splits at spaces and
 * ASCII punctuation only, and tokens contain neither.
 */
const SQLITE_INDEX = [
  `create virtual table sound_search
    using fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
];

const POSTGRES_INDEX = [
  // A search reads the rows of thousands of hits but never their tokens, so rows must be short: the columns that order
  // and filter hits are stored inline, the tokens out of line. PostgreSQL moves a value out of line only when the row
  // exceeds 2 KB, which the padding ensures; compressed, it takes 35 bytes.
  `create table sound_search (
    seq integer primary key,
    type_id integer not null,
    is_ai_generated integer not null,
    download_count integer not null,
    favorite_count integer not null,
    popularity integer not null,
    tokens tsvector not null,
    padding text not null generated always as (repeat(' ', 2000)) stored
  ) with (toast_tuple_target = 128, fillfactor = 90)`,
  `alter table sound_search alter tokens set storage external, alter padding set storage main`,
  // Without fastupdate every write goes directly into the index; with it, searches also read an unsorted list.
  `create index sound_search_tokens on sound_search using gin (tokens) with (fastupdate = off)`,
  // Counts change far more often than tokens. Triggers update their copies, so code that changes counts can ignore
  // them.
  `create function copy_ranks_to_search() returns trigger language plpgsql as $$
  begin
    update sound_search set
      type_id = new.type_id,
      is_ai_generated = new.is_ai_generated,
      download_count = new.download_count,
      favorite_count = new.favorite_count,
      popularity = new.popularity
    where seq = new.seq;
    return null;
  end $$`,
  `create trigger sounds_ranks after update of type_id, is_ai_generated, download_count, favorite_count, popularity
    on sounds for each row execute function copy_ranks_to_search()`,
];

/**
 * Words are read anew, while the index goes on answering with what it has. Artists can say how their names are read.
 */
export const readWords: Migration = {
  name: '0002-read-words',
  async up(db) {
    await sql`alter table sound_pronunciations add column index_tokens text not null default ''`.execute(db);
    await sql`alter table users add column name_reading text not null default ''`.execute(db);
    await sql`insert into unpronounced_sounds (sound_seq) select seq from sounds where true
      on conflict (sound_seq) do nothing`.execute(db);
  },
};

const STATEMENTS = [
  `create table sound_pronunciations (
    sound_seq integer primary key references sounds (seq) on delete cascade,
    source_hash text not null,
    name_tokens text not null,
    text_tokens text not null
  )`,
  `create table unpronounced_sounds (
    sound_seq integer primary key references sounds (seq) on delete cascade
  )`,
  `create table unindexed_artists (
    user_id text primary key references users (id) on delete cascade,
    change_id text not null,
    after_seq integer not null
  )`,
  `create table search_synonyms (
    id text primary key,
    words text not null,
    created_at bigint not null
  )`,
];

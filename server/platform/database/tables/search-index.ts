import type { FeatureMigrations } from '../migrations/migration.ts';

/**
 * See search-index/search-index.ts. The program makes the tokens, so the database must not split them: `ascii` splits at spaces and
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

export const searchIndexMigrations: FeatureMigrations = {
  baseline: (dialect) => (dialect === 'sqlite' ? SQLITE_INDEX : POSTGRES_INDEX),
};

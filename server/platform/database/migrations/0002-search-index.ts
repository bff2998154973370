import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Migration } from '../migration.ts';

/** See search-index.ts. Tokens come ready made, so neither database may take them apart. */
export const searchIndex: Migration = {
  name: '0002-search-index',
  async up(db, dialect) {
    if (dialect === 'sqlite') {
      // `ascii` parts at spaces and ASCII marks only, neither of which a token has.
      await sql`
        create virtual table sound_search
        using fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii')`.execute(db);
      return;
    }
    for (const statement of POSTGRES_STATEMENTS) await run(db, statement);
  },
};

function run(db: Transaction<unknown>, statement: string) {
  return sql.raw(statement).execute(db);
}

const POSTGRES_STATEMENTS = [
  // A search reads thousands of hits' rows and never their tokens, so rows are to be short: what orders
  // and filters hits stands in them, the tokens outside. PostgreSQL moves a value out only once the row
  // exceeds 2 KB, which the padding makes sure of; 35 bytes of it are left, compressed.
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
  // Without fastupdate every write goes straight in; with it, searches read an unsorted list.
  `create index sound_search_tokens on sound_search using gin (tokens) with (fastupdate = off)`,
  // Counts rise far more often than tokens change; whoever raises them need not know of their copies.
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

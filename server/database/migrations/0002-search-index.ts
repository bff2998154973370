import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

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
    await sql`create table sound_search (seq integer primary key, tokens tsvector not null)`.execute(db);
    // Without fastupdate every write goes straight in; with it, searches read an unsorted list.
    await sql`create index sound_search_tokens on sound_search using gin (tokens) with (fastupdate = off)`.execute(
      db,
    );
  },
};

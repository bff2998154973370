import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Schema } from './schema.ts';
import { toTsquery } from './search-expression.ts';
import type { SearchExpression } from './search-expression.ts';
import { CHUNK_BITS, toChunkToken, toRowCondition } from './search-index.ts';
import type { SearchIndex } from './search-index.ts';

/**
 * GIN collects all hits before the first one comes out, so broad questions are asked of the newest
 * sounds first: of this many chunks, then of all.
 */
const WINDOWS_CHUNKS = [2, 16];
/** Until then the newest chunk is taken to be the same or, other processes adding sounds, the next one. */
const NEWEST_KEPT_MS = 1_000;

/** A tsvector without positions under a GIN index; the lists are exact, so rows are not looked at again. */
export function createPostgresSearchIndex(): SearchIndex {
  let newestChunk = 0;
  let newestUntil = 0;

  async function toWindows(db: Kysely<Schema>, expression: SearchExpression): Promise<SearchExpression[]> {
    if (performance.now() > newestUntil) {
      const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from sound_search`.execute(db);
      newestChunk = (rows[0]?.seq ?? 0) >> CHUNK_BITS;
      newestUntil = performance.now() + NEWEST_KEPT_MS;
    }
    const windows = WINDOWS_CHUNKS.filter((chunks) => chunks <= newestChunk).map((chunks) => ({
      all: [
        { any: Array.from({ length: chunks + 1 }, (_, back) => toChunkToken(newestChunk + 1 - back)) },
        expression,
      ],
    }));
    return [...windows, expression];
  }

  return {
    async put(db, seq, tokens) {
      newestChunk = Math.max(newestChunk, seq >> CHUNK_BITS);
      await sql`
        insert into sound_search (seq, tokens) values (${seq}, array_to_tsvector(${[...tokens]}::text[]))
        on conflict (seq) do update set tokens = excluded.tokens`.execute(db);
    },

    async remove(db, seq) {
      await sql`delete from sound_search where seq = ${seq}`.execute(db);
    },

    async count(db, expression, cap) {
      let hits = 0;
      for (const window of await toWindows(db, expression)) {
        // Without any column, hits on pages that vacuum has seen are counted off the index alone.
        const { rows } = await sql<{ hits: number }>`
          select count(*) as hits from (
            select from sound_search where tokens @@ ${toTsquery(window)}::tsquery limit ${cap}
          ) capped`.execute(db);
        hits = rows[0]?.hits ?? 0;
        if (hits >= cap) break;
      }
      return hits;
    },

    async newest(db, expression, limit) {
      let seqs: number[] = [];
      for (const window of await toWindows(db, expression)) {
        const { rows } = await sql<{ seq: number }>`
          select seq from ${matching(window)} hit order by seq desc limit ${limit}`.execute(db);
        seqs = rows.map((row) => row.seq);
        if (seqs.length >= limit) break;
      }
      return seqs;
    },

    async highest(db, expression, rowFilter, column, limit) {
      const { rows } = await sql<{ seq: number }>`
        select sounds.seq from ${matching(expression)} hit join sounds on sounds.seq = hit.seq ${toRowCondition(rowFilter)}
        order by ${sql.ref(`sounds.${column}`)} desc, sounds.seq desc limit ${limit}`.execute(db);
      return rows.map((row) => row.seq);
    },
  };
}

/** The hits as a subquery; `offset 0` keeps the planner from walking seqs downwards and testing each. */
function matching(expression: SearchExpression): RawBuilder<unknown> {
  return sql`(select seq from sound_search where tokens @@ ${toTsquery(expression)}::tsquery offset 0)`;
}

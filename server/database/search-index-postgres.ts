import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Schema } from './schema.ts';
import { toTsquery } from './search-expression.ts';
import type { SearchExpression } from './search-expression.ts';
import { CHUNK_BITS, toChunkToken, toRowCondition } from './search-index.ts';
import type { SearchIndex } from './search-index.ts';

/**
 * GIN collects all hits before the first one comes out, so broad questions are asked of the newest
 * sounds first: of this many chunks, then of all. Each chunk makes a question dearer.
 */
const WINDOWS_CHUNKS = [2, 6];
/** Until then the newest chunk is taken to be the same or, other processes adding sounds, the next one. */
const NEWEST_KEPT_MS = 1_000;

interface Window {
  readonly chunks: number;
  readonly question: SearchExpression;
}

/** A tsvector without positions under a GIN index; the lists are exact, so rows are not looked at again. */
export function createPostgresSearchIndex(): SearchIndex {
  let newestChunk = 0;
  let newestUntil = 0;

  async function toWindows(db: Kysely<Schema>, expression: SearchExpression): Promise<Window[]> {
    if (performance.now() > newestUntil) {
      const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from sound_search`.execute(
        db,
      );
      newestChunk = (rows[0]?.seq ?? 0) >> CHUNK_BITS;
      newestUntil = performance.now() + NEWEST_KEPT_MS;
    }
    const windows = WINDOWS_CHUNKS.filter((chunks) => chunks <= newestChunk).map((chunks) => ({
      chunks,
      question: {
        all: [
          { any: Array.from({ length: chunks + 1 }, (_, back) => toChunkToken(newestChunk + 1 - back)) },
          expression,
        ],
      },
    }));
    return [...windows, { chunks: Infinity, question: expression }];
  }

  /** Asks ever larger windows until one has enough; one that cannot, by what the last one had, is left out. */
  async function askWindows<Answer>(
    db: Kysely<Schema>,
    expression: SearchExpression,
    enough: number,
    ask: (question: SearchExpression) => Promise<{ found: number; answer: Answer }>,
  ): Promise<Answer> {
    const windows = await toWindows(db, expression);
    let foundPerChunk = Infinity;
    for (const { chunks, question } of windows) {
      if (foundPerChunk * chunks < enough && chunks !== Infinity) continue;
      const { found, answer } = await ask(question);
      if (found >= enough || chunks === Infinity) return answer;
      foundPerChunk = found / chunks;
    }
    throw new Error('the last window is the whole index');
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

    count(db, expression, cap) {
      return askWindows(db, expression, cap, async (question) => {
        // Without any column, hits on pages that vacuum has seen are counted off the index alone.
        const { rows } = await sql<{ hits: number }>`
          select count(*) as hits from (
            select from sound_search where tokens @@ ${toTsquery(question)}::tsquery limit ${cap}
          ) capped`.execute(db);
        const found = rows[0]?.hits ?? 0;
        return { found, answer: found };
      });
    },

    newest(db, expression, limit) {
      return askWindows(db, expression, limit, async (question) => {
        const { rows } = await sql<{ seq: number }>`
          select seq from ${matching(question)} hit order by seq desc limit ${limit}`.execute(db);
        return { found: rows.length, answer: rows.map((row) => row.seq) };
      });
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

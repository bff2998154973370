import { sql } from 'kysely';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import { toTsqueries } from './search-expression.ts';
import type { SearchExpression } from './search-expression.ts';
import { partitionBy, toRowCondition } from './search-index.ts';
import type { SearchIndex } from './search-index.ts';
import { toChunkTokens, toSeqWindows } from './seq-windows.ts';
import type { SeqWindow } from './seq-windows.ts';

/** Until then the newest seq is assumed to be the same, or slightly higher if other processes add sounds. */
const NEWEST_CACHE_MS = 1_000;
/** A window of this many sounds has enough hits for most tokens. */
const LARGE_WINDOW = 100_000;
/** Reading the tokens of as many rows costs as much as querying the index. */
const ROWS_READ_MAX = 150;

/**
 * A tsvector without positions under a GIN index. The lists are exact, so rows are not rechecked. GIN collects all hits
 * before it returns the first one, so broad queries are run on the newest sounds first.
 */
export function createPostgresSearchIndex(): SearchIndex {
  let newestSeq = 0;
  let newestUntil = 0;

  async function findNewestSeq(db: QueryExecutorProvider): Promise<number> {
    if (performance.now() > newestUntil) {
      const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from sound_search`.execute(
        db,
      );
      newestSeq = rows[0]?.seq ?? 0;
      newestUntil = performance.now() + NEWEST_CACHE_MS;
    }
    return newestSeq;
  }

  /**
   * Queries ever larger windows until one has enough hits. Windows that cannot suffice, judging by the last count, are
   * skipped.
   */
  async function queryWindows<Answer>(
    db: QueryExecutorProvider,
    expression: SearchExpression,
    enough: number,
    query: (question: SearchExpression) => Promise<{ found: number; answer: Answer }>,
  ): Promise<Answer> {
    let foundPerSound = Infinity;
    for (const window of toSeqWindows(await findNewestSeq(db))) {
      const { sounds } = window;
      if (foundPerSound * sounds < enough && sounds !== Infinity) continue;
      const { found, answer } = await query(restrict(expression, window));
      if (found >= enough || sounds === Infinity) return answer;
      foundPerSound = found / sounds;
    }
    throw new Error('the last window is the whole index');
  }

  return {
    async put(db, seq, tokens) {
      newestSeq = Math.max(newestSeq, seq);
      await sql`
        insert into sound_search (seq, type_id, is_ai_generated, download_count, favorite_count, popularity, tokens)
        select indexed.seq, coalesce(type_id, 0), coalesce(is_ai_generated, 0),
          coalesce(download_count, 0), coalesce(favorite_count, 0), coalesce(popularity, 0), indexed.tokens
        from (select ${seq}::integer as seq, array_to_tsvector(${[...tokens, ...toChunkTokens(seq)]}::text[]) as tokens) indexed
        left join sounds on sounds.seq = indexed.seq
        on conflict (seq) do update set tokens = excluded.tokens`.execute(db);
    },

    async remove(db, seq) {
      await sql`delete from sound_search where seq = ${seq}`.execute(db);
    },

    async list(db, first, last, limit) {
      const { rows } = await sql<{ seq: number }>`
        select seq from sound_search where seq between ${first} and ${last} order by seq limit ${limit}`.execute(
        db,
      );
      return rows.map((row) => row.seq);
    },

    async listOutdated(db, first, last) {
      const { rows } = await sql<{ seq: number }>`
        select seq from sounds join sound_search as copied using (seq)
        where seq between ${first} and ${last} and (
          sounds.type_id, sounds.is_ai_generated, sounds.download_count, sounds.favorite_count, sounds.popularity
        ) is distinct from (
          copied.type_id, copied.is_ai_generated, copied.download_count, copied.favorite_count, copied.popularity
        )`.execute(db);
      return rows.map((row) => row.seq);
    },

    async refresh(db, seq) {
      await sql`
        update sound_search set type_id = sounds.type_id, is_ai_generated = sounds.is_ai_generated,
          download_count = sounds.download_count, favorite_count = sounds.favorite_count, popularity = sounds.popularity
        from sounds where sounds.seq = sound_search.seq and sounds.seq = ${seq}`.execute(db);
    },

    count(db, expression, cap) {
      return queryWindows(db, expression, cap, async (question) => {
        // Without any column, hits on pages that vacuum has marked are counted from the index alone.
        const { rows } = await sql<{ hits: number }>`
          select count(*) as hits from (
            select from sound_search where ${matches(question)} limit ${cap}
          ) capped`.execute(db);
        const found = rows[0]?.hits ?? 0;
        return { found, answer: found };
      });
    },

    /** One statement for each window, because each costs a round trip. */
    async countEach(db, expressions, cap) {
      const counts = expressions.map(() => 0);
      for (const window of toSeqWindows(await findNewestSeq(db))) {
        const { sounds } = window;
        const open = [...expressions.entries()].filter(([index]) => (counts[index] ?? 0) < cap);
        if (open.length === 0) break;
        if (sounds !== Infinity && sounds < cap) continue;
        const columns = open.map(([index, expression]) => {
          const question = matches(restrict(expression, window));
          const capped = sql`select from sound_search where ${question} limit ${cap}`;
          return sql`(select count(*) from (${capped}) capped) as ${sql.ref(`c${index}`)}`;
        });
        const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(db);
        for (const [index] of open) counts[index] = rows[0]?.[`c${index}`] ?? 0;
      }
      return counts;
    },

    newest(db, expression, limit) {
      return queryWindows(db, expression, limit, async (question) => {
        // `offset 0` keeps the planner from scanning seqs downwards and testing each.
        const { rows } = await sql<{ seq: number }>`
          select seq from (select seq from sound_search where ${matches(question)} offset 0) hit
          order by seq desc limit ${limit}`.execute(db);
        return { found: rows.length, answer: rows.map((row) => row.seq) };
      });
    },

    async highest(db, expression, rowFilter, column, limit) {
      const { rows } = await sql<{ seq: number }>`
        select seq from sound_search
        where ${matches(expression)} ${toRowCondition('sound_search', rowFilter)}
        order by ${sql.ref(column)} desc, seq desc limit ${limit}`.execute(db);
      return rows.map((row) => row.seq);
    },

    async sort(db, seqs, column) {
      const { rows } = await sql<{ seq: number }>`
        select seq from sound_search where seq = any(${seqs}::integer[])
        order by ${sql.ref(column)} desc, seq desc`.execute(db);
      return rows.map((row) => row.seq);
    },

    async among(db, expression, seqs) {
      if (seqs.length === 0) return new Set();
      const { rows } = await sql<{ seq: number }>`
        select seq from sound_search where seq = any(${seqs}::integer[]) and ${matches(expression)}`.execute(
        db,
      );
      return new Set(rows.map((row) => row.seq));
    },

    /** Few rows are read once, whatever the number of parts. */
    async partition(db, seqs, parts, limit) {
      if (seqs.length === 0 || parts.length === 0) return seqs.slice(0, limit);
      if (seqs.length > ROWS_READ_MAX) {
        return partitionBy(seqs, parts, limit, async ({ expression, narrow }, others) => {
          if (narrow === undefined) return this.among(db, expression, others);
          const { rows } = await sql<{ seq: number }>`
            select seq from sound_search where ${matches(narrow)}`.execute(db);
          return new Set(rows.map(({ seq }) => seq));
        });
      }
      const cases = parts.map(
        ({ expression }, index) => sql`when ${matches(expression)} then ${sql.lit(index)}`,
      );
      const { rows } = await sql<{ seq: number; part: number }>`
        select seq, case ${sql.join(cases, sql` `)} else ${sql.lit(parts.length)} end as part
        from sound_search where seq = any(${seqs}::integer[])`.execute(db);
      const tiers = new Map(rows.map(({ seq, part }) => [seq, part]));
      const toTier = (seq: number) => tiers.get(seq) ?? parts.length;
      return seqs.toSorted((a, b) => toTier(a) - toTier(b)).slice(0, limit);
    },
  };
}

/** GIN is fastest when short lists come first. */
function restrict(expression: SearchExpression, { sounds, chunks }: SeqWindow): SearchExpression {
  if (chunks === undefined) return expression;
  return { all: sounds < LARGE_WINDOW ? [chunks, expression] : [expression, chunks] };
}

function matches(expression: SearchExpression): RawBuilder<unknown> {
  return sql.join(
    toTsqueries(expression).map((question) => sql`tokens @@ ${question}::tsquery`),
    sql` and `,
  );
}

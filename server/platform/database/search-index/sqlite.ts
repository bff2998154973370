import { sql } from 'kysely';
import { countTokens, toFtsQuery } from './search-expression.ts';
import { partitionBy, toRowCondition } from './search-index.ts';
import type { SearchIndex } from './search-index.ts';

/**
 * FTS5 is fast only in ascending rowid order, and results are newest first: a sound's rowid is this number minus its
 * seq.
 */
const ROWID_BASE = 2 ** 40;
const base = sql.lit(ROWID_BASE);

/** With as many lookups, of each token for each seq, reading the lists of the tokens costs less. */
const LOOKUPS_MAX = 50;

/** FTS5, contentless and without positions: only sorted lists of rowids. */
export const sqliteSearchIndex: SearchIndex = {
  async put(db, seq, tokens) {
    await sql`insert or replace into sound_search (rowid, tokens) values (${ROWID_BASE - seq}, ${tokens.join(' ')})`.execute(
      db,
    );
  },

  async remove(db, seq) {
    await sql`delete from sound_search where rowid = ${ROWID_BASE - seq}`.execute(db);
  },

  /** Searches join `sounds`. */
  listOutdated: () => Promise.resolve([]),
  refresh: () => Promise.resolve(),

  async list(db, first, last, limit) {
    const { rows } = await sql<{ seq: number }>`
      select ${base} - rowid as seq from sound_search
      where rowid between ${ROWID_BASE - last} and ${ROWID_BASE - first} order by rowid desc limit ${limit}`.execute(
      db,
    );
    return rows.map((row) => row.seq);
  },

  async count(db, expression, cap) {
    const { rows } = await sql<{ hits: number }>`
      select count(*) as hits from (
        select 1 from sound_search where sound_search match ${toFtsQuery(expression)} limit ${cap}
      )`.execute(db);
    return rows[0]?.hits ?? 0;
  },

  async countEach(db, expressions, cap) {
    const counts: number[] = [];
    for (const expression of expressions) counts.push(await this.count(db, expression, cap));
    return counts;
  },

  async newest(db, expression, limit) {
    const { rows } = await sql<{ seq: number }>`
      select ${base} - rowid as seq from sound_search
      where sound_search match ${toFtsQuery(expression)} order by rowid limit ${limit}`.execute(db);
    return rows.map((row) => row.seq);
  },

  async highest(db, expression, rowFilter, column, limit) {
    // A cross join keeps its order in SQLite: hits first, then their rows.
    const { rows } = await sql<{ seq: number }>`
      select sounds.seq from sound_search cross join sounds
      where sound_search match ${toFtsQuery(expression)} and sounds.seq = ${base} - sound_search.rowid ${toRowCondition('sounds', rowFilter)}
      order by ${sql.ref(`sounds.${column}`)} desc, sounds.seq desc limit ${limit}`.execute(db);
    return rows.map((row) => row.seq);
  },

  async sort(db, seqs, column) {
    const { rows } = await sql<{ seq: number }>`
      select sounds.seq from json_each(${JSON.stringify(seqs)}) cross join sounds where sounds.seq = value
      order by ${sql.ref(`sounds.${column}`)} desc, sounds.seq desc`.execute(db);
    return rows.map((row) => row.seq);
  },

  async among(db, expression, seqs) {
    if (seqs.length === 0) return new Set();
    const match = sql`sound_search match ${toFtsQuery(expression)}`;
    const list = sql`json_each(${JSON.stringify(seqs)})`;
    const { rows } = await (
      seqs.length * countTokens(expression) < LOOKUPS_MAX
        ? sql<{ seq: number }>`
            select value as seq from ${list} cross join sound_search where ${match} and sound_search.rowid = ${base} - value`
        : sql<{ seq: number }>`
            select ${base} - rowid as seq from sound_search where ${match} and ${base} - rowid in (select value from ${list})`
    ).execute(db);
    return new Set(rows.map((row) => row.seq));
  },

  partition(db, seqs, parts, limit) {
    return partitionBy(seqs, parts, limit, ({ expression, narrow = expression }, others) => {
      const looksUp = others.length * countTokens(expression) < LOOKUPS_MAX;
      return this.among(db, looksUp ? expression : narrow, others);
    });
  },
};

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import { NETWORKS_MIN, PROVIDERS_MIN } from '../../../contract/artists/statistics.ts';
import { cleanLine, countCharacters } from '../../../contract/values/texts.ts';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { Db } from './tables.ts';

/** Longer searches are not listed: they are pasted texts rather than words. */
const WORD_LENGTH_MAX = 40;
const KEY_BYTES = 32;
/** Of `networks` and `providers`: as many as fit into a whole number of both databases. */
const BITS = 31;
/** Words of a sound in a month, and searches without results in a month. */
const FOUND_MAX = 50;
const MISSED_MAX = 2_000;
const DROPPED_AT_ONCE = 1_000;

/** A search that is to be counted. */
export interface Use {
  /** The sound it found; null: it found nothing. */
  readonly soundSeq: number | null;
  readonly month: number;
  readonly word: string;
  /** Where it came from; it is not stored. */
  readonly origin: Origin;
  readonly atMs: number;
}

export interface Origin {
  /** `toNetworkGroup`. */
  readonly network: string;
  /** `toProviderGroup`. */
  readonly provider: string;
}

/** A search in one spelling of width, case and spaces; '' for one that is not counted. */
export function toWord(search: string): string {
  const word = cleanLine(search.normalize('NFKC')).toLowerCase();
  return countCharacters(word) <= WORD_LENGTH_MAX ? word : '';
}

/** The key by which the networks of a month choose their bits: all processes use the one that was stored first. */
export async function readOrMakeWordKey(db: Db, month: number): Promise<Buffer> {
  const read = () =>
    db.selectFrom('word_keys').select('secret').where('month', '=', month).executeTakeFirst();
  const stored = await read();
  if (stored !== undefined) return Buffer.from(stored.secret, 'base64url');
  const secret = randomBytes(KEY_BYTES).toString('base64url');
  await db
    .insertInto('word_keys')
    .values({ month, secret })
    .onConflict((conflict) => conflict.column('month').doNothing())
    .execute();
  const made = await read();
  return Buffer.from(made?.secret ?? secret, 'base64url');
}

/** The bit of a network or provider: the same all month, unrelated for another word, sound or month. */
function toBit(key: Buffer, { soundSeq, word }: Use, group: string): number {
  const hash = Buffer.from(keyedHash(key, 'word', group, String(soundSeq), word), 'base64url');
  return 1 << (hash.readUInt32BE(0) % BITS);
}

export interface WordRow {
  readonly sound_seq: number | null;
  readonly month: number;
  readonly word: string;
  readonly networks: number;
  readonly providers: number;
  readonly uses: number;
  /** Hours since the epoch. */
  readonly first_hour: number;
}

/** Adds up uses by sound, month and word, in one order for all processes. `keys` by month. */
export function toWordRows(uses: readonly Use[], keys: ReadonlyMap<number, Buffer>): WordRow[] {
  const rows = new Map<string, WordRow>();
  for (const use of uses) {
    const key = keys.get(use.month);
    if (key === undefined) continue;
    const { soundSeq: sound_seq, month, word } = use;
    const name = JSON.stringify([sound_seq, month, word]);
    const {
      networks = 0,
      providers = 0,
      uses: before = 0,
      first_hour = Math.floor(use.atMs / HOUR_MS),
    } = rows.get(name) ?? {};
    rows.set(name, {
      sound_seq,
      month,
      word,
      networks: networks | toBit(key, use, use.origin.network),
      providers: providers | toBit(key, use, use.origin.provider),
      uses: before + 1,
      first_hour,
    });
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/**
 * Adds words to those that are stored, and marks those that enough networks and providers have used. Two may share a
 * bit, so that a word is shown late rather than early.
 */
export async function addWords(db: Db, rows: readonly WordRow[]): Promise<void> {
  for (const { sound_seq, month, word, ...figures } of rows) {
    const key = { ...(sound_seq !== null && { sound_seq }), month, word };
    const table = sql.table(sound_seq === null ? 'missed_words' : 'found_words');
    const columns = sql.join(Object.keys(key).map((name) => sql.ref(name)));
    const values = sql.join(Object.values(key));
    const { networks, providers, uses, first_hour } = figures;
    const { rows: stored } = await sql<{ networks: number; providers: number; is_shown: number }>`
      insert into ${table} (${columns}, networks, providers, uses, first_hour)
      values (${values}, ${networks}, ${providers}, ${uses}, ${first_hour})
      on conflict (${columns}) do update set
        networks = ${table}.networks | excluded.networks, providers = ${table}.providers | excluded.providers,
        uses = ${table}.uses + excluded.uses
      returning networks, providers, is_shown`.execute(db);
    const isFrequent = (row: { networks: number; providers: number }) =>
      countBits(row.networks) >= NETWORKS_MIN && countBits(row.providers) >= PROVIDERS_MIN;
    if (stored.some((row) => row.is_shown === 0 && isFrequent(row)))
      await sql`update ${table} set is_shown = 1 where (${columns}) = (${values})`.execute(db);
  }
  await dropRarest(db, rows);
}

/**
 * Keeps a bounded number of words, in case somebody invents words: half of them are those that are shown and the most
 * used ones, half are the newest, so that a new word has time to be used again.
 */
async function dropRarest(db: Db, rows: readonly WordRow[]): Promise<void> {
  const groups = new Map(rows.map((row) => [`${row.sound_seq} ${row.month}`, row]));
  for (const { sound_seq, month } of groups.values()) {
    const [table, wordsMax] =
      sound_seq === null ? (['missed_words', MISSED_MAX] as const) : (['found_words', FOUND_MAX] as const);
    const group =
      sound_seq === null ? sql`month = ${month}` : sql`sound_seq = ${sound_seq} and month = ${month}`;
    // Among equal ones, the hashes of their networks decide, which nobody can choose.
    await sql`
      delete from ${sql.table(table)} where ${group} and word in (
        select word from ${sql.table(table)} where ${group} and word not in (
          select word from ${sql.table(table)} where ${group}
          order by is_shown desc, uses desc, networks desc, word limit ${wordsMax / 2}
        )
        order by first_hour desc, networks desc, word limit ${DROPPED_AT_ONCE} offset ${wordsMax / 2}
      )`.execute(db);
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

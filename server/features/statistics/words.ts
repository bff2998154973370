import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { NETWORKS_MIN } from '../../../contract/statistics.ts';
import { cleanLine, countCharacters } from '../../../contract/texts.ts';
import { keyedHash } from '../../platform/crypto/crypto.ts';
import type { Schema } from '../../platform/database/database.ts';

/** Longer searches are told to nobody: they are rather pasted texts than words. */
const WORD_LENGTH_MAX = 40;
const KEY_BYTES = 32;
/** Of `networks`: as many as fit into a whole number of both databases. */
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
  /** The network it came from; it is not stored. */
  readonly network: string;
}

/** A search in one spelling of width, case and spaces; '' for one that is not counted. */
export function toWord(search: string): string {
  const word = cleanLine(search.normalize('NFKC')).toLowerCase();
  return countCharacters(word) <= WORD_LENGTH_MAX ? word : '';
}

/** The key by which the networks of a month choose their bits: all processes use the one that was stored first. */
export async function readOrMakeWordKey(db: Kysely<Schema>, month: number): Promise<Buffer> {
  const read = () =>
    db.selectFrom('word_keys').select('secret').where('month', '=', month).executeTakeFirst();
  const known = await read();
  if (known !== undefined) return Buffer.from(known.secret, 'base64url');
  const secret = randomBytes(KEY_BYTES).toString('base64url');
  await db
    .insertInto('word_keys')
    .values({ month, secret })
    .onConflict((conflict) => conflict.column('month').doNothing())
    .execute();
  const made = await read();
  return Buffer.from(made?.secret ?? secret, 'base64url');
}

/** The bit of a network: the same all month, unrelated for another word or sound, and for another month. */
function toBit(key: Buffer, { soundSeq, word, network }: Use): number {
  const hash = Buffer.from(keyedHash(key, 'word', network, String(soundSeq), word), 'base64url');
  return 1 << (hash.readUInt32BE(0) % BITS);
}

export interface WordRow {
  readonly sound_seq: number | null;
  readonly month: number;
  readonly word: string;
  readonly networks: number;
  readonly uses: number;
}

/** Adds up uses by sound, month and word, in one order for all processes. `keys` by month. */
export function toWordRows(uses: readonly Use[], keys: ReadonlyMap<number, Buffer>): WordRow[] {
  const rows = new Map<string, WordRow>();
  for (const use of uses) {
    const key = keys.get(use.month);
    if (key === undefined) continue;
    const { soundSeq: sound_seq, month, word } = use;
    const name = JSON.stringify([sound_seq, month, word]);
    const { networks = 0, uses: before = 0 } = rows.get(name) ?? {};
    rows.set(name, { sound_seq, month, word, networks: networks | toBit(key, use), uses: before + 1 });
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/**
 * Adds words to those that are stored, and marks those that enough networks have used. Two networks may share a bit, so
 * that a word is shown late rather than early.
 */
export async function addWords(db: Kysely<Schema>, rows: readonly WordRow[]): Promise<void> {
  for (const { sound_seq, month, word, networks, uses } of rows) {
    const key = { ...(sound_seq !== null && { sound_seq }), month, word };
    const table = sql.table(sound_seq === null ? 'missed_words' : 'found_words');
    const columns = sql.join(Object.keys(key).map((name) => sql.ref(name)));
    const values = sql.join(Object.values(key));
    const { rows: stored } = await sql<{ networks: number; is_shown: number }>`
      insert into ${table} (${columns}, networks, uses) values (${values}, ${networks}, ${uses})
      on conflict (${columns}) do update set
        networks = ${table}.networks | excluded.networks, uses = ${table}.uses + excluded.uses
      returning networks, is_shown`.execute(db);
    if (stored.some((row) => row.is_shown === 0 && countBits(row.networks) >= NETWORKS_MIN))
      await sql`update ${table} set is_shown = 1 where (${columns}) = (${values})`.execute(db);
  }
  await dropRarest(db, rows);
}

/** Keeps a bounded number of words: those that are shown, then the most used ones, in case somebody invents words. */
async function dropRarest(db: Kysely<Schema>, rows: readonly WordRow[]): Promise<void> {
  const groups = new Map(rows.map((row) => [`${row.sound_seq} ${row.month}`, row]));
  for (const { sound_seq, month } of groups.values()) {
    const [table, kept] =
      sound_seq === null ? (['missed_words', MISSED_MAX] as const) : (['found_words', FOUND_MAX] as const);
    const group =
      sound_seq === null ? sql`month = ${month}` : sql`sound_seq = ${sound_seq} and month = ${month}`;
    // Among equally rare ones, the hashes of their networks decide, which nobody can choose.
    await sql`
      delete from ${sql.table(table)} where ${group} and word in (
        select word from ${sql.table(table)} where ${group}
        order by is_shown desc, uses desc, networks desc, word limit ${DROPPED_AT_ONCE} offset ${kept}
      )`.execute(db);
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

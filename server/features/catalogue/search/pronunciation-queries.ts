import type { Kysely } from 'kysely';
import { exists } from '../../../platform/database/database.ts';
import type { Schema } from '../../../platform/database/database.ts';
import type { SoundPronunciations } from './pronunciations.ts';

type Db = Kysely<Schema>;

/** Marks a sound whose texts have no pronunciations as they are. */
export async function insertUnpronounced(db: Db, seq: number): Promise<void> {
  await db
    .insertInto('unpronounced_sounds')
    .values({ sound_seq: seq })
    .onConflict((on) => on.doNothing())
    .execute();
}

/** The newest first: they are looked for most. */
export async function selectUnpronounced(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('unpronounced_sounds')
    .select('sound_seq')
    .orderBy('sound_seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ sound_seq }) => sound_seq);
}

export async function isUnpronounced(db: Db, seq: number): Promise<boolean> {
  return exists(db.selectFrom('unpronounced_sounds').select('sound_seq').where('sound_seq', '=', seq));
}

/** Keeps the pronunciations of a sound, which is no longer marked. The caller has locked its row. */
export async function putPronunciations(
  db: Db,
  seq: number,
  sourceHash: string,
  { names, text }: SoundPronunciations,
): Promise<void> {
  const values = { source_hash: sourceHash, name_tokens: names.join(' '), text_tokens: text.join(' ') };
  await db
    .insertInto('sound_pronunciations')
    .values({ sound_seq: seq, ...values })
    .onConflict((on) => on.column('sound_seq').doUpdateSet(values))
    .execute();
  await db.deleteFrom('unpronounced_sounds').where('sound_seq', '=', seq).execute();
}

import { exists } from '../../../platform/database/statements/outcomes.ts';
import { IS_THERE } from '../visibility.ts';
import type { Db } from '../tables.ts';

/** Marks a sound whose texts have no pronunciations as they are. */
export async function insertUnpronounced(db: Db, seq: number): Promise<void> {
  await db
    .insertInto('unpronounced_sounds')
    .values({ sound_seq: seq })
    .onConflict((on) => on.doNothing())
    .execute();
}

/** The newest first: they are looked for most. A deleted sound keeps its mark, for the case that it comes back. */
export async function selectUnpronounced(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('unpronounced_sounds')
    .innerJoin('sounds', 'sounds.seq', 'sound_seq')
    .select('sound_seq')
    .where(IS_THERE)
    .orderBy('sound_seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ sound_seq }) => sound_seq);
}

export async function isUnpronounced(db: Db, seq: number): Promise<boolean> {
  return exists(db.selectFrom('unpronounced_sounds').select('sound_seq').where('sound_seq', '=', seq));
}

/** Stores the tokens of a sound's words and removes its mark. The caller has locked its row. */
export async function putReadTokens(
  db: Db,
  seq: number,
  sourceHash: string,
  tokens: readonly string[],
): Promise<void> {
  const values = {
    source_hash: sourceHash,
    index_tokens: [...new Set(tokens)].join(' '),
    // Columns of earlier versions.
    name_tokens: '',
    text_tokens: '',
  };
  await db
    .insertInto('sound_pronunciations')
    .values({ sound_seq: seq, ...values })
    .onConflict((on) => on.column('sound_seq').doUpdateSet(values))
    .execute();
  await db.deleteFrom('unpronounced_sounds').where('sound_seq', '=', seq).execute();
}

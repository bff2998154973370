import { sql } from 'kysely';
import type { MusicalKey } from '../../../contract/sounds/music.ts';
import { KEY_CERTAIN } from '../../media/analysis/musical-key.ts';
import { FEATURES_VERSION } from '../../media/analysis/sound-features.ts';
import type { SoundFeatures } from '../../media/analysis/sound-features.ts';
import { BPM_CERTAIN } from '../../media/analysis/tempo.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { toList } from '../../platform/database/tables/parts.ts';
import { FAST_FROM, SLOW_BELOW, isMusic, toPace } from './tempo-rules.ts';
import { markUncompared } from './similar/queries.ts';
import { encodeNumbers } from './similar/vectors.ts';
import type { Db } from './tables.ts';

/** What an artist has entered instead of an estimate; null for the estimate, absent for no change. */
export interface Corrections {
  readonly bpm?: number | null | undefined;
  readonly key?: MusicalKey | null | undefined;
}

/** Stores what was measured of a sound; null for silence. What its artist has entered stays in effect. */
export async function putFeatures(db: Db, seq: number, features: SoundFeatures | null): Promise<void> {
  const row = {
    version: FEATURES_VERSION,
    numbers: features && encodeNumbers(features.numbers),
    estimated_bpm: features?.bpm?.value ?? null,
    bpm_confidence: features?.bpm?.confidence ?? null,
    estimated_key: features?.key?.value ?? null,
    key_confidence: features?.key?.confidence ?? null,
  };
  await putRow(db, seq, row);
  await markUncompared(db, seq);
}

/** What the artists of sounds have entered. */
export function selectCorrections(db: Db, seqs: readonly number[]) {
  return db
    .selectFrom('sound_features')
    .select(['sound_seq', 'bpm', 'music_key'])
    .where('sound_seq', 'in', seqs)
    .execute();
}

/** Stores what the artist has entered. */
export async function setCorrections(db: Db, seq: number, { bpm, key }: Corrections): Promise<void> {
  if (bpm === undefined && key === undefined) return;
  await putRow(db, seq, { ...(bpm !== undefined && { bpm }), ...(key !== undefined && { music_key: key }) });
}

type FeatureRow = Omit<Schema['sound_features'], 'sound_seq' | 'effective_bpm' | 'effective_key'>;

async function putRow(db: Db, seq: number, change: Partial<FeatureRow>): Promise<void> {
  const empty: FeatureRow = {
    version: null,
    numbers: null,
    estimated_bpm: null,
    bpm_confidence: null,
    estimated_key: null,
    key_confidence: null,
    bpm: null,
    music_key: null,
  };
  await db
    .insertInto('sound_features')
    .values({ sound_seq: seq, ...empty, ...change, effective_bpm: null, effective_key: null })
    .onConflict((on) => on.column('sound_seq').doUpdateSet(change))
    .execute();
  await updateEffective(db, seq);
}

/**
 * Sets tempo and key to what the artist has entered, or else to an estimate that is certain enough. Genres and title of
 * the sound decide whether it has a tempo, and between half and double.
 */
export async function updateEffective(db: Db, seq: number): Promise<void> {
  const sound = await db
    .selectFrom('sounds')
    .innerJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .select(['sounds.title', 'sounds.moods', 'sound_types.icon'])
    .where('sounds.seq', '=', seq)
    .executeTakeFirst();
  if (sound === undefined) return;
  const genres = await db
    .selectFrom('sound_sub_genres')
    .innerJoin('sub_genres', 'sub_genres.id', 'sound_sub_genres.sub_genre_id')
    .select('sub_genres.name')
    .where('sound_sub_genres.sound_seq', '=', seq)
    .execute();
  const pace = toPace([sound.title, ...genres.map(({ name }) => name)], toList(sound.moods));
  // No confidence exceeds 1.
  const bpmMin = isMusic(sound.icon) ? BPM_CERTAIN : 2;
  // In the database, so that a measurement and a correction at the same time cannot undo each other.
  const estimate = {
    slow: sql`case when estimated_bpm >= ${SLOW_BELOW} then estimated_bpm / 2 else estimated_bpm end`,
    fast: sql`case when estimated_bpm < ${FAST_FROM} then estimated_bpm * 2 else estimated_bpm end`,
    unknown: sql`estimated_bpm`,
  }[pace ?? 'unknown'];
  const bpm = sql<number | null>`coalesce(bpm, case when bpm_confidence >= ${bpmMin} then ${estimate} end)`;
  const key = sql<
    string | null
  >`coalesce(music_key, case when key_confidence >= ${KEY_CERTAIN} then estimated_key end)`;
  await db
    .updateTable('sound_features')
    .set({ effective_bpm: bpm, effective_key: key })
    .where('sound_seq', '=', seq)
    .where(({ eb, or }) =>
      or([eb('effective_bpm', 'is distinct from', bpm), eb('effective_key', 'is distinct from', key)]),
    )
    .execute();
}

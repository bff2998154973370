import type { Kysely } from 'kysely';
import type { MusicalKey } from '../../../contract/music.ts';
import { KEY_CERTAIN } from '../../media/musical-key.ts';
import { FEATURES_VERSION } from '../../media/sound-features.ts';
import type { SoundFeatures } from '../../media/sound-features.ts';
import { BPM_CERTAIN } from '../../media/tempo.ts';
import type { Schema } from '../../platform/database/database.ts';
import { markUncompared } from './similar/queries.ts';
import { encodeNumbers } from './similar/vectors.ts';

type Db = Kysely<Schema>;

/** What an artist has entered in place of an estimate; null for the estimate, absent for no change. */
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
  // In the database, so that a measurement and a correction at the same time cannot undo each other.
  await db
    .updateTable('sound_features')
    .set((eb) => ({
      effective_bpm: eb.fn.coalesce(
        'bpm',
        eb.case().when('bpm_confidence', '>=', BPM_CERTAIN).then(eb.ref('estimated_bpm')).else(null).end(),
      ),
      effective_key: eb.fn.coalesce(
        'music_key',
        eb.case().when('key_confidence', '>=', KEY_CERTAIN).then(eb.ref('estimated_key')).else(null).end(),
      ),
    }))
    .where('sound_seq', '=', seq)
    .execute();
}

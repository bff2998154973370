import { sql } from 'kysely';
import type { Generated } from 'kysely';
import type { Migration } from '../migrations/migration.ts';
import { TEXT, flag } from './parts.ts';
import type { Flag } from './parts.ts';

/** Sounds of which waveform, findings and features are to be decoded, or cannot be decoded. */
interface UndecodedSoundsTable {
  sound_seq: number;
  /** An upload, which has no waveform yet; all others are decoded in the background, with pauses. */
  is_fresh: Generated<Flag>;
  /** How often decoding it crashed the decoder. */
  attempts: Generated<number>;
  state: Generated<'waiting' | 'failed'>;
  /** The `DECODER_VERSION` that gave up; null unless failed. */
  failed_version: Generated<number | null>;
  /** The process that is decoding it; null if none. */
  lease_id: Generated<string | null>;
  /** Epoch ms; until then no other process decodes it: it is leased, or an attempt has failed. */
  not_before: Generated<number | null>;
}

/** See contract/sound-findings.ts. */
interface SoundFindingsTable {
  sound_seq: number;
  silent_head_ms: number;
  is_silent: Generated<Flag>;
  /** A list, as JSON. */
  clips_ms: string;
  clip_count: number;
  is_tail_cut: Flag;
  loudness_lufs: number | null;
  /** Null for silence, and while it is not measured. */
  true_peak_dbtp: number | null;
}

/** Tempo, key and comparable numbers, from `server/media/analysis/sound-features.ts` and from the artist. */
interface SoundFeaturesTable {
  sound_seq: number;
  /** The `FEATURES_VERSION` that measured it; null if it has not been, or cannot be, measured. */
  version: number | null;
  /** Base64 of 32-bit floats. */
  numbers: string | null;
  estimated_bpm: number | null;
  /** From 0 to 1, as that of the key. */
  bpm_confidence: number | null;
  estimated_key: string | null;
  key_confidence: number | null;
  /** As the artist has entered it; null for the estimate. */
  bpm: number | null;
  music_key: string | null;
  /** What the artist has entered, or else an estimate that is certain enough. */
  effective_bpm: number | null;
  effective_key: string | null;
}

/** Similar sounds of the measured public ones; withdrawn sounds keep their row until they would be compared. */
interface SoundNeighboursTable {
  sound_seq: number;
  type_id: number;
  /** Epoch ms; 0 while its neighbours are to be found for the first time, or again. */
  compared_at: Generated<number>;
  /** Seqs, nearest first, with spaces between them. Some may have been withdrawn or deleted since. */
  neighbours: Generated<string>;
  /** How many of the first are similar for sure. Those that an earlier version found all are. */
  sure: Generated<number>;
}

/** How the sounds of a type vary, by which they are compared. */
interface SimilarityModelsTable {
  type_id: number;
  /** The `FEATURES_VERSION` of the numbers. */
  version: number;
  /** How many sounds it was made from. */
  sounds: number;
  /** How many there were when sounds were last compared. */
  seen: number;
  /** `encodeModel`. */
  model: string;
  /** Epoch ms. Sounds that were compared before are compared again. */
  round_at: number;
  /** When the sounds were loaded among which new or changed ones were last found. */
  changed_at: number;
}

export interface SoundAnalysisTables {
  undecoded_sounds: UndecodedSoundsTable;
  sound_findings: SoundFindingsTable;
  sound_features: SoundFeaturesTable;
  sound_neighbours: SoundNeighboursTable;
  similarity_models: SimilarityModelsTable;
}

/** Sounds are measured anew for `FEATURES_VERSION` 2, and have neighbours that are less sure. */
export const measureAnew: Migration = {
  name: '0003-measure-anew',
  async up(db) {
    await sql`insert into undecoded_sounds (sound_seq) select seq from sounds where deleted_at is null
      on conflict (sound_seq) do nothing`.execute(db);
    await sql`alter table sound_neighbours add column sure integer not null default 24`.execute(db);
  },
};

export const SOUND_ANALYSIS_TABLES: readonly string[] = [
  `create table undecoded_sounds (
    sound_seq integer primary key references sounds (seq) on delete cascade,
    ${flag('is_fresh')},
    attempts integer not null default 0,
    state text not null default 'waiting' check (state in ('waiting', 'failed')),
    failed_version integer,
    lease_id text,
    not_before bigint
  )`,
  `create index undecoded_sounds_order on undecoded_sounds (is_fresh, sound_seq)`,
  `create table sound_findings (
    sound_seq integer primary key references sounds (seq) on delete cascade,
    silent_head_ms integer not null,
    ${flag('is_silent')},
    clips_ms text not null,
    clip_count integer not null,
    is_tail_cut integer not null check (is_tail_cut in (0, 1)),
    loudness_lufs double precision,
    true_peak_dbtp double precision
  )`,
  `create table sound_features (
    sound_seq integer primary key references sounds (seq) on delete cascade,
    version integer,
    numbers text,
    estimated_bpm double precision,
    bpm_confidence double precision,
    estimated_key text,
    key_confidence double precision,
    bpm double precision,
    music_key text,
    effective_bpm double precision,
    effective_key text
  )`,
  `create index sound_features_effective_bpm on sound_features (effective_bpm)`,
  `create index sound_features_effective_key on sound_features (effective_key)`,
  `create table sound_neighbours (
    sound_seq integer primary key references sounds (seq) on delete cascade,
    type_id integer not null references sound_types (id),
    compared_at bigint not null default 0,
    neighbours ${TEXT}
  )`,
  `create index sound_neighbours_compared on sound_neighbours (type_id, compared_at, sound_seq)`,
  `create table similarity_models (
    type_id integer primary key references sound_types (id) on delete cascade,
    version integer not null,
    sounds integer not null,
    seen integer not null,
    model text not null,
    round_at bigint not null,
    changed_at bigint not null
  )`,
];

import { sql } from 'kysely';
import type { Generated, Kysely, RawBuilder, Selectable } from 'kysely';
import type { SoundState } from '../../../contract/operator/sounds.ts';
import type { ContentIdState } from '../../../contract/sounds/sound-facts.ts';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { DialectName } from '../../platform/database/migrations/migration.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

interface SoundTypesTable {
  id: Generated<number>;
  name: string;
  icon: Generated<string>;
  position: Generated<number>;
}

interface GenresTable {
  id: Generated<number>;
  name: string;
  position: Generated<number>;
}

interface SubGenresTable {
  id: Generated<number>;
  genre_id: number;
  name: string;
  position: Generated<number>;
}

/** What artists say of a sound, see `SOUND_FIELDS`. */
interface FieldsTable {
  is_ai_generated: Generated<Flag>;
  is_loopable: Generated<Flag>;
  /** null: the artist has not answered. */
  has_vocals: Generated<Flag | null>;
  /** Of `MOODS`, with spaces between them. */
  moods: Generated<string>;
  /** Of `LICENCE_USES`, with spaces between them; '': the terms of the site. */
  licence_uses: Generated<string>;
  /** null: the artist has not answered. */
  content_id: Generated<ContentIdState | null>;
}
export type FieldColumns = Readonly<Selectable<FieldsTable>>;

export interface SoundsTable extends FieldsTable {
  /** In order of creation: a higher one is newer. Never leaves the server. */
  seq: Generated<number>;
  id: string;
  artist_id: string;
  type_id: number;
  title: Generated<string>;
  description: Generated<string>;
  filename: Generated<string>;
  audio_key: string;
  audio_mime: string;
  audio_size: number;
  /** SHA-256 of the upload without its tags, in hex; null for a sound that was not uploaded: it is `audio_key`. */
  content_hash: string | null;
  duration_ms: Generated<number>;
  /** kbit/s. */
  bit_rate: Generated<number>;
  /** Hz. */
  sample_rate: Generated<number>;
  /** See contract/sounds/peaks.ts. */
  peaks: Generated<string>;
  /** Positions in ms, as JSON, where unreadable passages of the upload were removed; null if there were none. */
  gaps_ms: string | null;
  thumbnail_key: string | null;
  /** Whether the sound is public: its artist has published it, and it is not withheld. */
  is_published: Generated<Flag>;
  /** Published by its artist, but not shown because it is hidden or its artist is suspended. */
  is_withheld: Generated<Flag>;
  /** Why the staff has hidden it, as shown to its artist; null for a sound that is not hidden. */
  hidden_reason: string | null;
  /** When its artist deleted it; null for a sound that is there. It is then not published, and erased a week later. */
  deleted_at: number | null;
  download_count: Generated<number>;
  favorite_count: Generated<number>;
  /** `toPopularity(…)` of the two counts; breaks ties between equal search hits. */
  popularity: Generated<number>;
  created_at: number;
  updated_at: number;
}

interface SoundSubGenresTable {
  sound_seq: number;
  sub_genre_id: number;
}

interface FavoritesTable {
  user_id: string;
  sound_seq: number;
  created_at: number;
}

/** What the words of a sound are read as. */
interface SoundPronunciationsTable {
  sound_seq: number;
  /** Of the texts: a sound whose texts have changed since then is read again. */
  source_hash: string;
  /** Tokens of the search index, separated by spaces. */
  index_tokens: string;
  /** Only earlier versions of the program use these. */
  name_tokens: string;
  text_tokens: string;
}

/** Sounds whose pronunciations are to be found. */
interface UnpronouncedSoundsTable {
  sound_seq: number;
}

/** Artists whose sounds, from some seq on, are still indexed as they were before a change. */
export interface UnindexedArtistsTable {
  user_id: string;
  /** New for each change: a process that indexes an earlier change must start again. */
  change_id: string;
  /** The last sound that has been reindexed. */
  after_seq: number;
}

/** Groups of words that the operator wants to be found for one another. */
interface SearchSynonymsTable {
  id: string;
  /** A line in the format of `parseSynonyms`. */
  words: string;
  created_at: number;
}

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

/** See contract/sounds/sound-findings.ts. */
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

interface CatalogueTables {
  sound_types: SoundTypesTable;
  genres: GenresTable;
  sub_genres: SubGenresTable;
  sounds: SoundsTable;
  sound_sub_genres: SoundSubGenresTable;
  favorites: FavoritesTable;
  sound_pronunciations: SoundPronunciationsTable;
  unpronounced_sounds: UnpronouncedSoundsTable;
  unindexed_artists: UnindexedArtistsTable;
  search_synonyms: SearchSynonymsTable;
  undecoded_sounds: UndecodedSoundsTable;
  sound_findings: SoundFindingsTable;
  sound_features: SoundFeaturesTable;
  sound_neighbours: SoundNeighboursTable;
  similarity_models: SimilarityModelsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends CatalogueTables {}
}

type Others = ReadOnly<Pick<Schema, 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<CatalogueTables & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;

/** What a sound is to the staff: the first that applies. Two indexes begin with it as it is written here. */
export function toSoundState(table = ''): RawBuilder<SoundState> {
  const column = (name: keyof SoundsTable) => sql.raw(table + name);
  return sql`case when ${column('deleted_at')} is not null then 'deleted'
    when ${column('hidden_reason')} is not null then 'hidden' when ${column('is_withheld')} = 1 then 'withheld'
    when ${column('is_published')} = 1 then 'public' else 'private' end`;
}

/** A title without the case of Latin letters, in the order of code points, as both databases can index it. */
export function toSoundTitleKey(dialect: DialectName, table = ''): RawBuilder<string> {
  const title = sql.raw(`${table}title`);
  return dialect === 'postgres' ? sql`lower(${title} collate "C")` : sql`lower(${title})`;
}

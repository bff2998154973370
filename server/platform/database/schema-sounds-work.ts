import type { Generated } from 'kysely';
import type { ContentIdState } from '../../../contract/sound-facts.ts';

interface FavoritesTable {
  user_id: string;
  sound_seq: number;
  created_at: number;
}

/** Files in storage without a row that refers to them: not yet, or no longer. */
interface UnclaimedFilesTable {
  /** A sound's `audio_key`, a picture's key. */
  file_key: string;
  kind: 'sound' | 'thumbnail';
  /** 0 while it is being stored; 1 once it must be deleted, after which it cannot be claimed. */
  is_doomed: 0 | 1;
  noted_at: number;
}

/** Sounds whose waveform has not been read yet, or cannot be read. */
interface UnreadWaveformsTable {
  sound_seq: number;
  /** How often decoding it crashed the decoder. */
  attempts: Generated<number>;
  state: Generated<'unread' | 'failed'>;
  /** The `DECODER_VERSION` that gave up; null unless failed. */
  failed_version: Generated<number | null>;
  /** The process that is decoding it; null if none. */
  lease_id: Generated<string | null>;
  /** Epoch ms; after that, another process may decode it. */
  leased_until: Generated<number | null>;
}

/** How the Japanese words of a sound are read, as search tokens. */
interface SoundReadingsTable {
  sound_seq: number;
  /** Of the texts that were read: a sound whose texts have changed since then is read again. */
  source_hash: string;
  /** Separated by spaces: of title, artist, type and genres. */
  name_tokens: string;
  /** Of the description, without those of the names. */
  text_tokens: string;
}

/** Sounds whose words are to be read. */
interface UnreadSoundsTable {
  sound_seq: number;
}

/** Groups of words that the operator wants to be found for one another. */
interface SearchSynonymsTable {
  id: string;
  /** A line in the format of synonyms.txt. */
  words: string;
  created_at: number;
}

/** See contract/sound-findings.ts. */
interface SoundFindingsTable {
  sound_seq: number;
  silent_head_ms: number;
  is_silent: Generated<0 | 1>;
  /** A list, as JSON. */
  clips_ms: string;
  clip_count: number;
  is_tail_cut: 0 | 1;
  loudness_lufs: number | null;
  /** Null for silence, and while it is not measured. */
  true_peak_dbtp: number | null;
}

/** Tempo, key and comparable numbers, from `server/media/sound-features.ts` and from the artist. */
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

/** Sounds that are to be decoded again, for what was not measured when they were stored. */
interface UnmeasuredSoundsTable {
  sound_seq: number;
  /** How often measuring it has failed. */
  attempts: Generated<number>;
}

/** Similar sounds of the measured public ones; withdrawn sounds keep their row until they would be compared. */
interface SoundNeighboursTable {
  sound_seq: number;
  type_id: number;
  /** Epoch ms; 0 while its neighbours are to be found for the first time, or again. */
  compared_at: Generated<number>;
  /** Seqs, nearest first, with spaces between them. Some may have been withdrawn or deleted since. */
  neighbours: Generated<string>;
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

/**
 * Uploads of a file that another artist had uploaded before, for review by the operator; kept when either sound is
 * deleted.
 */
interface SoundCopiesTable {
  sound_id: string;
  artist_id: string;
  original_id: string;
  original_artist_id: string;
  noted_at: number;
}

/** Files that are sent in pieces. */
interface ResumableUploadsTable {
  id: string;
  user_id: string;
  /** Total size. */
  size_bytes: number;
  /** The client's own metadata, unverified; shown only to this client. */
  metadata: string;
  /** The resulting sound; once set, the bytes are not needed any more. */
  sound_id: string | null;
  created_at: number;
  /** The end of its received pieces, which have no gaps. */
  received_bytes: Generated<number>;
  /** When a piece was last begun or received, or a sound was begun to be made of it; 0 for never. */
  active_at: Generated<number>;
}

/** Objects with bytes of uploads. Rows exist before their object is stored, and until it is deleted. */
interface UploadPiecesTable {
  /** Part of the object's key. */
  id: string;
  upload_id: string;
  /** Where it begins in the file. */
  start_byte: number;
  /** Null until it is received. */
  size_bytes: number | null;
  /**
   * `incoming`: being stored. `received`: part of its upload. `doomed`: its object must be deleted, and it can no longer
   * be received.
   */
  state: 'incoming' | 'received' | 'doomed';
  noted_at: number;
}

export interface SoundsWorkSchema {
  favorites: FavoritesTable;
  unclaimed_files: UnclaimedFilesTable;
  unread_waveforms: UnreadWaveformsTable;
  sound_findings: SoundFindingsTable;
  sound_readings: SoundReadingsTable;
  unread_sounds: UnreadSoundsTable;
  search_synonyms: SearchSynonymsTable;
  sound_features: SoundFeaturesTable;
  unmeasured_sounds: UnmeasuredSoundsTable;
  sound_neighbours: SoundNeighboursTable;
  similarity_models: SimilarityModelsTable;
  sound_copies: SoundCopiesTable;
  resumable_uploads: ResumableUploadsTable;
  upload_pieces: UploadPiecesTable;
}

/** What the artist says of a sound; columns of `sounds`. */
export interface SoundFactColumns {
  is_loopable: Generated<0 | 1>;
  /** null: the artist has not answered. */
  has_vocals: 0 | 1 | null;
  /** Of `MOODS`, with spaces between them. */
  moods: Generated<string>;
  /** Of `LICENCE_USES`, with spaces between them; '': the terms of the site. */
  licence_uses: Generated<string>;
  /** null: the artist has not answered. */
  content_id: ContentIdState | null;
}

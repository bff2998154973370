import type { Generated } from 'kysely';

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

/** Files that are sent in pieces. The size of a file shows how much of it has arrived. */
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
}

export interface SoundsWorkSchema {
  favorites: FavoritesTable;
  unclaimed_files: UnclaimedFilesTable;
  unread_waveforms: UnreadWaveformsTable;
  sound_findings: SoundFindingsTable;
  sound_copies: SoundCopiesTable;
  resumable_uploads: ResumableUploadsTable;
}

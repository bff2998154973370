import type { Generated } from 'kysely';

interface FavoritesTable {
  user_id: string;
  sound_seq: number;
  created_at: number;
}

/** Files in storage that no row refers to: not yet, or no longer. */
interface UnclaimedFilesTable {
  /** A sound's `audio_key`, a picture's key. */
  file_key: string;
  kind: 'sound' | 'thumbnail';
  /** 0 while it is being stored; 1 once it has to go: then nobody can claim it any more. */
  is_doomed: 0 | 1;
  noted_at: number;
}

/** Sounds whose waveform has not been read yet, or cannot be. */
interface UnreadWaveformsTable {
  sound_seq: number;
  /** How often decoding it ended the decoder. */
  attempts: Generated<number>;
  state: Generated<'unread' | 'failed'>;
  /** `DECODER_VERSION` that gave up; null unless failed. */
  failed_version: Generated<number | null>;
  /** Who decodes it now; null when nobody does. */
  lease_id: Generated<string | null>;
  /** Epoch ms; another process may decode it from then on. */
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

/** Uploads of a file that another artist had uploaded before, for the operator to judge; kept when either sound goes. */
interface SoundCopiesTable {
  sound_id: string;
  artist_id: string;
  original_id: string;
  original_artist_id: string;
  noted_at: number;
}

/** Files that are sent in pieces. How much of one has arrived, its file says by its size. */
interface ResumableUploadsTable {
  id: string;
  user_id: string;
  /** Of the whole. */
  size_bytes: number;
  /** What the client said of it, as it said it: shown to nobody else, and never believed. */
  metadata: string;
  /** What it became; from then on its bytes are not needed. */
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

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

/** Sounds whose waveform has not been read yet. */
interface UnreadWaveformsTable {
  sound_seq: number;
}

/** Uploads of a file that another artist had uploaded before, for the operator to judge; kept when either sound goes. */
interface SoundCopiesTable {
  sound_id: string;
  artist_id: string;
  original_id: string;
  original_artist_id: string;
  noted_at: number;
}

export interface SoundsWorkSchema {
  favorites: FavoritesTable;
  unclaimed_files: UnclaimedFilesTable;
  unread_waveforms: UnreadWaveformsTable;
  sound_copies: SoundCopiesTable;
}

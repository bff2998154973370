import type { PictureKind } from '../../../contract/site/pictures.ts';

/** The URLs from which browsers fetch files; the media server in `server/web` serves them. */
/** What shared links have pictures of, as in the addresses of pages. */
export type SharedKind = 'sounds' | 'artist';

export interface FileUrls {
  /** URL of a stored picture's smallest size; null for no picture. */
  picture(key: string | null, kind: PictureKind): string | null;
  /** URL of the picture of a shared link. `name`: a sound's id, or a username. `version` changes with what it shows. */
  share(kind: SharedKind, name: string, version: string): string;
  /** URL that plays a sound. A private sound's is signed and short-lived. */
  audio(sound: AudioReference): string;
  /**
   * Signed, short-lived URL that downloads this one sound; for a public sound, it stops working when the sound is
   * unpublished.
   */
  download(sound: Pick<AudioReference, 'id' | 'is_published'>): string;
}

export interface AudioReference {
  readonly id: string;
  readonly audio_key: string;
  readonly audio_mime: string;
  readonly is_published: boolean;
}

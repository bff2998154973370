import type { PictureKind } from '../../../contract/pictures.ts';

/** Where browsers fetch files from; the media server behind `server/web` answers these addresses. */
export interface FileUrls {
  /** Address of a stored picture's smallest size; null for no picture. */
  picture(key: string | null, kind: PictureKind): string | null;
  /** Address that plays a sound. A private sound's is signed and short-lived. */
  audio(sound: AudioReference): string;
  /** Signed, short-lived address that downloads this one sound; that of a public one ends when it is no longer. */
  download(sound: Pick<AudioReference, 'id' | 'is_published'>): string;
}

export interface AudioReference {
  readonly id: string;
  readonly audio_key: string;
  readonly audio_mime: string;
  readonly is_published: boolean;
}

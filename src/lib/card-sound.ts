import type { Sound } from '../../contract/sounds.ts';

/** Two lines on the widest card; the sound's own page has the full text. */
const DESCRIPTION_LENGTH = 100;

/** The part of a sound that a card shows. A page with cards contains it twice, as HTML and as data. */
export type CardSound = Pick<
  Sound,
  | 'id'
  | 'title'
  | 'description'
  | 'file_url'
  | 'thumbnail_url'
  | 'is_ai_generated'
  | 'artist_name'
  | 'user_profile_picture'
  | 'duration_ms'
  | 'peaks'
  | 'loudness_lufs'
  | 'true_peak_dbtp'
  | 'is_loopable'
  | 'has_similar'
>;

/** The card's part of a sound, with its description cut to the length that fits. */
export function toCardSound(sound: Sound): CardSound {
  const description =
    sound.description.length > DESCRIPTION_LENGTH
      ? `${sound.description.slice(0, DESCRIPTION_LENGTH).toWellFormed()}…`
      : sound.description;
  return {
    id: sound.id,
    title: sound.title,
    description,
    file_url: sound.file_url,
    thumbnail_url: sound.thumbnail_url,
    is_ai_generated: sound.is_ai_generated,
    artist_name: sound.artist_name,
    user_profile_picture: sound.user_profile_picture,
    duration_ms: sound.duration_ms,
    peaks: sound.peaks,
    loudness_lufs: sound.loudness_lufs,
    true_peak_dbtp: sound.true_peak_dbtp,
    is_loopable: sound.is_loopable,
    has_similar: sound.has_similar,
  };
}

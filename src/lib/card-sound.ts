import type { Sound } from '../../contract/sounds.ts';

/** Two lines on the widest card; the sound's own page has the full text. */
const DESCRIPTION_LENGTH = 100;

/** What a card shows of a sound. A page with cards carries them twice, as HTML and as data. */
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
>;

/** The card's part of a sound, its description cut to what a card has room for. */
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
  };
}

import type { Sound } from '../../contract/sounds/sounds.ts';
import { toGainData } from './loudness.ts';

/** Two lines on the widest card; the sound's own page has the full text. */
const DESCRIPTION_LENGTH = 100;

const FIELDS = [
  'id',
  'title',
  'description',
  'file_url',
  'thumbnail_url',
  'is_ai_generated',
  'artist_name',
  'user_profile_picture',
  'duration_ms',
  'peaks',
  'loudness_lufs',
  'true_peak_dbtp',
  'is_loopable',
  'type',
  'is_music',
  'has_similar',
] as const satisfies readonly (keyof Sound)[];

/** The part of a sound that a card shows. */
export type CardSound = Pick<Sound, (typeof FIELDS)[number]>;

/** The card's part of a sound, with its description cut to the length that fits. */
export function toCardSound(sound: Sound): CardSound {
  const { description } = sound;
  const card = Object.fromEntries(FIELDS.map((name) => [name, sound[name]])) as CardSound;
  if (description.length <= DESCRIPTION_LENGTH) return card;
  return { ...card, description: `${description.slice(0, DESCRIPTION_LENGTH).toWellFormed()}…` };
}

/** What the player reads from the element of a sound (`readCard` in src/browser/tracks.ts). */
export function toTrackData(sound: CardSound) {
  return {
    'data-sound': sound.id,
    'data-duration-ms': sound.duration_ms || undefined,
    'data-gain': toGainData(sound),
    'data-loopable': sound.is_loopable ? '' : undefined,
    'data-series': toSeries(sound),
  };
}

/**
 * What `data-series` of a card says: after a sound, the next one of the same series starts by itself (decision 162). ''
 * for effects, which nothing follows; undefined where a host does not tell the type.
 */
function toSeries({ type, is_music }: Pick<Sound, 'type' | 'is_music'>): string | undefined {
  return is_music === false ? '' : type;
}

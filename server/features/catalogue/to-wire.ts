import type * as v from 'valibot';
import { FLAT_PEAKS } from '../../../contract/sounds/peaks.ts';
import type { MusicalKey } from '../../../contract/sounds/music.ts';
import { UNTITLED, type SoundSchema } from '../../../contract/sounds/sounds.ts';
import type { ShareSubject } from '../../media/pictures/share-pictures.ts';
import type { FileUrls } from '../../platform/storage/file-urls.ts';
import type { SoundRow } from './queries.ts';
import type { FoundSound } from './service.ts';
import { toWireFields } from './sound-fields.ts';
import { isMusic } from './tempo-rules.ts';

type WireSound = v.InferInput<typeof SoundSchema>;

/** A sound as sent to a caller: addresses instead of keys, and only the listed fields. */
export function toWireSound(
  { row, subGenreIds, isFavorited, uses, findings }: FoundSound,
  callerId: string | null,
  fileUrls: FileUrls,
): WireSound {
  const is_published = row.is_published === 1;
  const { id, audio_key, audio_mime } = row;
  return {
    id,
    title: row.title,
    description: row.description,
    filename: row.filename,
    file_url: fileUrls.audio({ id, audio_key, audio_mime, is_published }),
    thumbnail_url: fileUrls.picture(row.thumbnail_key, 'thumbnail'),
    is_published,
    is_editable: callerId === row.artist_id && row.artist_is_blocked === 0,
    ...toWireFields(row),
    licence_uses: uses.allowed,
    added_uses: uses.added,
    is_favorited: isFavorited,
    sub_genres: subGenreIds.map(String),
    download_count: row.download_count,
    favorite_count: row.favorite_count,
    artist_name: row.artist_name,
    user_profile_picture: fileUrls.picture(row.artist_picture_key, 'avatar'),
    type: String(row.type_id),
    is_music: isMusic(row.type_icon),
    duration_ms: row.duration_ms,
    peaks: row.peaks,
    ...(row.loudness_lufs !== null && { loudness_lufs: row.loudness_lufs }),
    ...(row.true_peak_dbtp !== null && { true_peak_dbtp: row.true_peak_dbtp }),
    mime_type: audio_mime,
    size_bytes: row.audio_size,
    bit_rate_kbps: row.bit_rate,
    sample_rate_hz: row.sample_rate,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    ...(row.effective_bpm !== null && {
      bpm: row.effective_bpm,
      is_bpm_estimated: row.own_bpm === null,
    }),
    ...(row.effective_key !== null && {
      key: row.effective_key as MusicalKey,
      is_key_estimated: row.own_key === null,
    }),
    ...(row.has_similar && is_published && { has_similar: true }),
    ...(callerId === row.artist_id && findings !== undefined && { findings }),
    ...(callerId === row.artist_id && row.hidden_reason !== null && { hidden_reason: row.hidden_reason }),
  };
}

/** What the picture of links to a sound shows. */
export function toShareSubject(row: SoundRow, siteName: string): ShareSubject {
  return {
    shape: 'square',
    title: row.title || UNTITLED,
    line: row.artist_name,
    siteName,
    peaks: row.peaks === FLAT_PEAKS ? '' : row.peaks,
    pictureKey: row.thumbnail_key,
  };
}

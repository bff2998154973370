import { HOUR_MS, MINUTE_MS } from '../../contract/values/time-units.ts';
import { PICTURE_WIDTHS } from '../../contract/site/pictures.ts';
import type { FileUrls } from '../platform/storage/file-urls.ts';
import type { Signatures } from './signatures.ts';

/** Long enough to listen to a page of sounds. */
const PLAY_LIFETIME_MS = HOUR_MS;
/** Long enough to start a download, whose duration is not limited by it. */
const DOWNLOAD_LIFETIME_MS = 10 * MINUTE_MS;

const FILE_ENDINGS: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' };

/**
 * URLs of our own files. `origin` is '' when web and API share one, otherwise that of this host: a web client on
 * another host could not resolve relative ones.
 */
export function createFileUrls(signatures: Signatures, origin = ''): FileUrls {
  return {
    picture: (key, kind) =>
      key === null ? null : `${origin}/media/pictures/${key}/${PICTURE_WIDTHS[kind][0]}.webp`,
    share: (kind, name, version) =>
      `${origin}/media/share/${kind}/${encodeURIComponent(name)}/${version}.jpg`,
    audio(sound) {
      const url = `${origin}/media/sounds/${sound.id}/${toAudioFileName(sound.audio_key, sound.audio_mime)}`;
      return sound.is_published ? url : `${url}?${signatures.sign('play', sound.id, PLAY_LIFETIME_MS)}`;
    },
    download({ id, is_published }) {
      const purpose = is_published ? 'download' : 'download-private';
      return `${origin}/media/downloads/${id}?${signatures.sign(purpose, id, DOWNLOAD_LIFETIME_MS)}`;
    },
  };
}

/** The last segment of a sound's URL: changes with the content, so a cached copy is never outdated. */
export function toAudioFileName(audioKey: string, mime: string): string {
  return `${audioKey.slice(0, 8)}.${toFileEnding(mime)}`;
}

export function toFileEnding(mime: string): string {
  return FILE_ENDINGS[mime] ?? 'bin';
}

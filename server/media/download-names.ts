import { create } from 'content-disposition';
import { toSavedName } from '../../contract/values/file-names.ts';
import { cleanLine } from '../../contract/values/texts.ts';
import { UNTITLED } from '../../contract/sounds/sounds.ts';

/** `{title} - {artist}.mp3`; `Untitled` replaces an empty title (spec §2). */
export function toDownloadName(title: string, artist: string, ending: string): string {
  const parts = [clean(title) || UNTITLED, clean(artist)].filter((part) => part !== '');
  return toSavedName(`${parts.join(' - ')}.${ending}`);
}

/** `Content-Disposition: attachment` with an ASCII name and a UTF-8 one (RFC 6266, RFC 8187). */
export function toAttachment(fileName: string): string {
  return create(fileName, { type: 'attachment' });
}

function clean(text: string): string {
  return cleanLine(text).replace(/^[. ]+|[. ]+$/g, '');
}

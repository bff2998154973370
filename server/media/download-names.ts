import { create } from 'content-disposition';
import { cleanLine } from '../../contract/texts.ts';

const NAME_LENGTH_MAX = 200;
/** Characters that some file systems reject in names. */
const RESERVED = /[\\/:*?"<>|]/g;

/** `{title} - {artist}.mp3`, valid on any file system; `Untitled` replaces an empty title (spec §2). */
export function toDownloadName(title: string, artist: string, ending: string): string {
  const parts = [clean(title) || 'Untitled', clean(artist)].filter((part) => part !== '');
  const stem = Array.from(parts.join(' - '))
    .slice(0, NAME_LENGTH_MAX - ending.length - 1)
    .join('')
    .replace(/[. ]+$/, '');
  return `${stem}.${ending}`;
}

/** `Content-Disposition: attachment` with an ASCII name and a UTF-8 one (RFC 6266, RFC 8187). */
export function toAttachment(fileName: string): string {
  return create(fileName, { type: 'attachment' });
}

function clean(text: string): string {
  return cleanLine(text)
    .replace(RESERVED, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
}

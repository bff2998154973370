import { TITLE_LENGTH_MAX, UNFIT_IN_TITLES } from '../../../contract/own-sounds.ts';

/** A new sound's title: that of its tags, else its file's name without the ending. May be ''. */
export function toUploadTitle(tagged: string, filename: string): string {
  return toTitle(tagged) || toTitle(filename.replace(/\.[A-Za-z0-9]{1,5}$/, ''));
}

function toTitle(text: string): string {
  const line = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(UNFIT_IN_TITLES, '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return [...line].slice(0, TITLE_LENGTH_MAX).join('').trim();
}

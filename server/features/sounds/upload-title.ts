import { TITLE_LENGTH_MAX } from '../../../contract/own-sounds.ts';

/** Controls, lone surrogates, and what turns the direction of text around: a title reads as it is written. */
const UNFIT = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A new sound's title: that of its tags, else its file's name without the ending. May be ''. */
export function toUploadTitle(tagged: string, filename: string): string {
  return toTitle(tagged) || toTitle(filename.replace(/\.[A-Za-z0-9]{1,5}$/, ''));
}

function toTitle(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/gu, ' ').replace(UNFIT, '').trim();
  return [...line].slice(0, TITLE_LENGTH_MAX).join('').trim();
}

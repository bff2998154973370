import { readFileSync, writeFileSync } from 'node:fs';
import { SCRIPT, makeApe, makeId3v1 } from '../../tests/support/files/audio-files.ts';
import type { CorpusFile, Work } from './file.ts';
import { RAIN_IN_SHIFT_JIS, makeTitleTag } from './made-tags.ts';
import { runOrThrow } from './tools.ts';

const TITLE = '雨の音 — 夜の市';

const lame = (name: string, title: string, args: (work: Work) => readonly string[]): CorpusFile => ({
  name: `lame ${name}.mp3`,
  title,
  make: (work) => void runOrThrow('lame', ['--quiet', '-V', '3', ...args(work), work.wav, work.to]),
});

const ffmpeg = (name: string, title: string, args: string): CorpusFile => ({
  name: `ffmpeg ${name}`,
  title,
  make: ({ wav, to, cover }) => {
    const inputs = args.includes('-map 1') ? ['-i', wav, '-i', cover] : ['-i', wav];
    const tags = ['-metadata', `title=${title}`];
    runOrThrow('ffmpeg', ['-v', 'error', '-y', ...inputs, ...tags, ...args.split(' '), to]);
  },
});

const none = Buffer.alloc(0);

/** A title as other programs write it, in an untagged MP3 of LAME. */
const around = (name: string, title: string, before: Uint8Array, behind: Uint8Array = none): CorpusFile => ({
  name: `tag ${name}.mp3`,
  title,
  make({ wav, to }) {
    runOrThrow('lame', ['--quiet', '-b', '128', wav, to]);
    writeFileSync(to, Buffer.concat([before, readFileSync(to), behind]));
  },
});

const bytes = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

export const TAGGED_FILES: readonly CorpusFile[] = [
  lame('id3v1', 'Rain', () => ['--id3v1-only', '--tt', 'Rain']),
  lame('id3v1 with spaces', 'Rain', () => ['--id3v1-only', '--space-id3v1', '--tt', 'Rain']),
  lame('id3v2.3 utf-16', TITLE, () => ['--id3v2-only', '--id3v2-utf16', '--tt', TITLE]),
  lame('both tags and padding', 'Rain', () => ['--add-id3v2', '--pad-id3v2-size', '90000', '--tt', 'Rain']),
  lame('cover', 'Rain', ({ cover }) => ['--add-id3v2', '--tt', 'Rain', '--ti', cover]),
  ffmpeg('id3v2.3.mp3', TITLE, '-c:a libmp3lame -id3v2_version 3'),
  ffmpeg('id3v2.4.mp3', TITLE, '-c:a libmp3lame -id3v2_version 4'),
  ffmpeg('id3v1 and v2.4.mp3', TITLE, '-c:a libmp3lame -id3v2_version 4 -write_id3v1 1'),
  ffmpeg('cover.mp3', TITLE, '-c:a libmp3lame -map 0:a -map 1:v -c:v copy -id3v2_version 3'),
  ffmpeg('tags.m4a', TITLE, '-c:a aac'),
  ffmpeg('tags first.m4a', TITLE, '-c:a aac -movflags +faststart'),
  ffmpeg('cover.m4a', TITLE, '-c:a aac -map 0:a -map 1:v -c:v copy -disposition:v attached_pic'),
  around('shift_jis in id3v1', '雨の音', none, makeId3v1(RAIN_IN_SHIFT_JIS)),
  around('shift_jis in id3v1 cut off', `!${'雨'.repeat(14)}`, none, makeId3v1(cutShiftJis())),
  around('utf-8 in id3v1 cut off', `!${'あ'.repeat(9)}`, none, makeId3v1(Buffer.from(`!${'あ'.repeat(12)}`))),
  around('shift_jis in id3v2.3', '雨の音', makeTitleTag(3, 0, RAIN_IN_SHIFT_JIS)),
  around('shift_jis in id3v2.2', '雨の音', makeTitleTag(2, 0, RAIN_IN_SHIFT_JIS)),
  around('half-width kana', 'ﾋﾟｱﾉ曲', makeTitleTag(3, 0, bytes('\xcb\xdf\xb1\xc9\x8b\xc8'))),
  around('latin-1', 'Prélude à la pluie', makeTitleTag(3, 0, bytes('Prélude à la pluie'))),
  around('latin-1 like shift_jis', 'Prélude', makeTitleTag(3, 0, bytes('Prélude'))),
  around('windows-1252', 'It’s raining', makeTitleTag(3, 0, bytes('It\x92s raining'))),
  around('id3v2.2 utf-16', TITLE, makeTitleTag(2, 1, utf16(TITLE))),
  around('utf-16 unsynchronised', TITLE, makeTitleTag(3, 1, utf16(TITLE), { isUnsynchronised: true })),
  around('utf-16 without its mark', TITLE, makeTitleTag(3, 1, Buffer.from(TITLE, 'utf16le'))),
  around('utf-16be', TITLE, makeTitleTag(4, 2, Buffer.from(TITLE, 'utf16le').swap16())),
  around('utf-8 in id3v2.4', TITLE, makeTitleTag(4, 3, Buffer.from(TITLE))),
  around('utf-8 in id3v2.3', TITLE, makeTitleTag(3, 3, Buffer.from(TITLE))),
  around('ape and id3v1', 'Rain', none, Buffer.concat([makeApe(SCRIPT), makeId3v1(bytes('Rain'))])),
];

/** Thirty bytes that end within a character. */
function cutShiftJis(): Buffer {
  return Buffer.concat([
    Buffer.from('!'),
    ...Array.from({ length: 15 }, () => RAIN_IN_SHIFT_JIS.subarray(0, 2)),
  ]);
}

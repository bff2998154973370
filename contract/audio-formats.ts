/** Names of audio formats that are not accepted, for people: found by content, whatever a file is called. */

/** Codecs of sample entries in MP4 files (mp4ra.org) and their protected forms. */
const CODECS: Readonly<Record<string, string>> = {
  alac: 'Apple Lossless（ALAC）',
  'ac-3': 'Dolby Digital（AC-3）',
  'ec-3': 'Dolby Digital Plus（E-AC-3）',
  Opus: 'Opus',
  fLaC: 'FLAC',
  '.mp3': 'MP4に入ったMP3',
  sowt: '非圧縮PCM',
  twos: '非圧縮PCM',
  lpcm: '非圧縮PCM',
  ipcm: '非圧縮PCM',
  drms: 'コピー保護のあるAAC',
  enca: '暗号化された音声',
};

/** What files of other formats begin with, as Latin-1. */
const BEGINNINGS: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['WAV', /^(?:RIFF|RF64)[^]{4}WAVE/],
  ['FLAC', /^fLaC/],
  ['Ogg', /^OggS/],
  ['AIFF', /^FORM[^]{4}AIF[FC]/],
  ['CAF', /^caff/],
  ['WMA', /^0&\xb2u\x8ef\xcf\x11/],
  ['AAC（ADTS）', /^\xff[\xf0\xf1\xf8\xf9]/],
  ['MP2', /^\xff[\xf4\xf5\xfc\xfd]/],
];

/** How many bytes of a file `findOtherFormat` looks at. */
export const FORMAT_HEAD_BYTES = 16;

/** The format that a file's first bytes name; undefined for MP3, MP4 and what is unknown. */
export function findOtherFormat(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, FORMAT_HEAD_BYTES));
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0];
}

/** What the codec of an MP4 sample entry is called; undefined for AAC and what is unknown. */
export function findOtherCodec(entryType: string): string | undefined {
  return CODECS[entryType];
}

export function describeUnsupported(format: string): string {
  return `「${format}」の形式には対応していません。MP3か、AACのM4Aに書き出してください。`;
}

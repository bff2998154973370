/** Names of unsupported audio formats, for messages. The format is detected by content, not by file name. */

/** Codecs of sample entries in MP4 files (mp4ra.org), including protected forms. */
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

/** First bytes of files of other formats, as Latin-1. */
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

/** Number of bytes that `findOtherFormat` reads. */
export const FORMAT_HEAD_BYTES = 16;

/** The format that a file's first bytes indicate; undefined for MP3, MP4 and unknown formats. */
export function findOtherFormat(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, FORMAT_HEAD_BYTES));
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0];
}

/** The name of an MP4 sample entry's codec; undefined for AAC and unknown codecs. */
export function findOtherCodec(entryType: string): string | undefined {
  return CODECS[entryType];
}

export function describeUnsupported(format: string): string {
  return `「${format}」の形式には対応していません。MP3か、AACのM4Aに書き出してください。`;
}

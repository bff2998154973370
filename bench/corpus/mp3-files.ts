import type { CorpusFile, Signal } from './file.ts';
import { runOrThrow } from './tools.ts';

const lame = (name: string, args: string, signal: Partial<Signal> = {}): CorpusFile => ({
  name: `lame ${name}.mp3`,
  signal,
  make: ({ wav, to }) => void runOrThrow('lame', ['--quiet', ...args.split(' '), wav, to]),
});

export const MP3_OF_LAME: readonly CorpusFile[] = [
  lame('cbr 128', '-b 128'),
  lame('cbr 320 48k', '-b 320', { sampleRateHz: 48_000 }),
  lame('cbr 320 32k', '-b 320', { sampleRateHz: 32_000 }),
  lame('cbr 32 mono', '-b 32 -m m', { channels: 1 }),
  lame('vbr v0', '-V 0'),
  lame('vbr v2', '-V 2'),
  lame('vbr v9 mono', '-V 9', { channels: 1 }),
  lame('vbr old', '-V 4 --vbr-old'),
  lame('vbr without xing', '-V 2 -t'),
  lame('abr 160', '--abr 160'),
  lame('abr 56 22k', '--abr 56', { sampleRateHz: 22_050 }),
  lame('cbr without xing', '-b 192 -t'),
  lame('crc', '-b 128 -p'),
  lame('crc vbr', '-V 3 -p'),
  lame('plain stereo', '-b 160 -m s'),
  lame('forced joint', '-b 160 -m f'),
  lame('dual mono', '-b 160 -m d'),
  lame('no reservoir', '-b 96 --nores'),
  lame('24k', '-b 64', { sampleRateHz: 24_000 }),
  lame('16k mono', '-b 32', { sampleRateHz: 16_000, channels: 1 }),
  lame('12k', '-b 24 --resample 12', { sampleRateHz: 24_000 }),
  lame('11k', '-b 24 --resample 11.025', { sampleRateHz: 22_050 }),
  lame('8k mono', '-b 8 --resample 8', { sampleRateHz: 8_000, channels: 1 }),
];

const ffmpeg = (name: string, args: string, signal: Partial<Signal> = {}): CorpusFile => ({
  name: `ffmpeg ${name}.mp3`,
  signal,
  make: ({ wav, to }) => void runOrThrow('ffmpeg', ['-v', 'error', '-y', '-i', wav, ...args.split(' '), to]),
});

export const MP3_OF_FFMPEG: readonly CorpusFile[] = [
  ffmpeg('cbr 192', '-c:a libmp3lame -b:a 192k'),
  ffmpeg('vbr q4', '-c:a libmp3lame -q:a 4'),
  ffmpeg('abr', '-c:a libmp3lame -b:a 128k -abr 1'),
  ffmpeg('without xing', '-c:a libmp3lame -q:a 2 -write_xing 0'),
  ffmpeg('without any tag', '-c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0'),
  ffmpeg('22k mono', '-c:a libmp3lame -b:a 64k', { sampleRateHz: 22_050, channels: 1 }),
  ffmpeg('shine', '-c:a libshine -b:a 128k'),
  ffmpeg('shine mono 32k', '-c:a libshine -b:a 64k', { sampleRateHz: 32_000, channels: 1 }),
  ffmpeg('in a wav', '-c:a libmp3lame -b:a 128k -f wav'),
];

import { writeFileSync } from 'node:fs';
import type { CorpusFile, Signal } from './file.ts';
import { runOrThrow } from './tools.ts';

const other = (name: string, args: string, signal: Partial<Signal> = {}): CorpusFile => ({
  name,
  signal,
  isRefused: true,
  make: ({ wav, to }) => void runOrThrow('ffmpeg', ['-v', 'error', '-y', '-i', wav, ...args.split(' '), to]),
});

const FILM = '-f lavfi -i testsrc=size=64x64:rate=10:duration=2 -c:v mpeg4 -c:a aac -shortest';

/** Files with a wrong extension, and kinds of MP4 that this project does not accept. */
export const REFUSED_FILES: readonly CorpusFile[] = [
  other('alac.m4a', '-c:a alac'),
  other('mp3 in mp4.m4a', '-c:a libmp3lame -f mp4'),
  other('ac3 in mp4.m4a', '-c:a ac3 -f mp4'),
  other('opus in mp4.m4a', '-c:a libopus -f mp4', { sampleRateHz: 48_000 }),
  other('film.m4a', `${FILM} -f mp4`),
  other('film.mp3', `${FILM} -f mp4`),
  other('two tracks.m4a', '-map 0:a -map 0:a -c:a aac -f mp4'),
  other('quicktime.m4a', '-c:a aac -f mov'),
  other('adts.m4a', '-c:a aac -f adts'),
  other('adts.mp3', '-c:a aac -f adts'),
  other('mp2.mp3', '-c:a mp2 -b:a 192k -f mp2'),
  other('twolame.mp3', '-c:a libtwolame -b:a 128k -f mp2'),
  other('wav.mp3', '-f wav'),
  other('wav.m4a', '-f wav'),
  other('flac.mp3', '-c:a flac -f flac'),
  other('ogg.mp3', '-c:a libopus -f ogg', { sampleRateHz: 48_000 }),
  other('webm.m4a', '-c:a libopus -f webm', { sampleRateHz: 48_000 }),
  other('aiff.mp3', '-f aiff'),
  {
    name: 'free format.mp3',
    isRefused: true,
    make: ({ wav, to }) => void runOrThrow('lame', ['--quiet', '--freeformat', '-b', '400', wav, to]),
  },
  { name: 'empty.mp3', isRefused: true, make: ({ to }) => writeFileSync(to, '') },
];

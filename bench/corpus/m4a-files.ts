import { readFileSync, writeFileSync } from 'node:fs';
import { toItunSmpb, toSbr } from './made-tags.ts';
import { SECONDS } from './file.ts';
import type { CorpusFile, Signal } from './file.ts';
import { runOrThrow } from './tools.ts';

const aac = (name: string, args: string, signal: Partial<Signal> = {}): CorpusFile => ({
  name: `aac ${name}.m4a`,
  signal,
  make: ({ wav, to }) =>
    void runOrThrow('ffmpeg', ['-v', 'error', '-y', '-i', wav, '-c:a', 'aac', ...args.split(' '), to]),
});

/** Variants that FFmpeg does not write. */
const changed = (
  name: string,
  args: string,
  signal: Partial<Signal>,
  change: (m4a: Buffer) => Buffer,
): CorpusFile => {
  const file = aac(name, args, signal);
  return {
    ...file,
    make(work) {
      file.make(work);
      writeFileSync(work.to, change(readFileSync(work.to)));
    },
  };
};

export const M4A_FILES: readonly CorpusFile[] = [
  aac('moov last', '-b:a 128k'),
  aac('moov first', '-b:a 128k -movflags +faststart'),
  aac('mono', '-b:a 96k', { channels: 1 }),
  aac('six channels', '-b:a 256k -ac 6'),
  aac('8k', '-b:a 24k', { sampleRateHz: 8_000, channels: 1 }),
  aac('22k', '-b:a 64k', { sampleRateHz: 22_050 }),
  aac('24k mono', '-b:a 48k', { sampleRateHz: 24_000, channels: 1 }),
  aac('32k', '-b:a 96k', { sampleRateHz: 32_000 }),
  aac('48k 320', '-b:a 320k', { sampleRateHz: 48_000 }),
  aac('88k', '-b:a 256k', { sampleRateHz: 88_200 }),
  aac('96k', '-b:a 256k', { sampleRateHz: 96_000 }),
  aac('vbr', '-q:a 1.5'),
  aac('main profile', '-profile:a aac_main -b:a 128k'),
  aac('mpeg-2', '-profile:a mpeg2_aac_low -b:a 128k'),
  aac('as mp4', '-b:a 128k -f mp4'),
  aac('as mp4 with co64', '-b:a 128k -f mp4 -brand M4B -movflags +disable_chpl'),
  aac('metadata keys', '-b:a 128k -f mp4 -movflags use_metadata_tags -metadata mood=calm'),
  aac('fragmented', '-movflags +frag_keyframe+empty_moov -frag_duration 500000'),
  aac('fragmented for DASH', '-f mp4 -movflags +dash -frag_duration 500000'),
  changed('iTunSMPB in place of edits', '-b:a 128k -use_editlist 0', {}, (m4a) =>
    toItunSmpb(m4a, SECONDS * 44_100),
  ),
  changed('22k announced as HE-AAC', '-b:a 48k', { sampleRateHz: 22_050 }, toSbr),
];

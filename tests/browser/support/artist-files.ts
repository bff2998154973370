import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { encodeMp3 } from '#demo/encode.ts';
import { SAMPLE_RATE } from '#demo/synth/audio.ts';
import { patch } from '#support/files/audio-files.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';

const MEGABYTE = 1024 * 1024;
/** The longest name that file systems allow: 255 bytes. */
const LONG_NAME = 'とても長い名前の曲'.repeat(9);

/** The files that an artist chooses at once. By name: the resulting title, or the message in its row. */
export const CHOSEN: Readonly<Record<string, { readonly title: string } | { readonly problem: RegExp }>> = {
  '01 tagged.mp3': { title: '静かな雨の夜' },
  'ピアノと海鳴り.mp3': { title: 'ピアノと海鳴り' },
  'moonlight.m4a': { title: 'moonlight' },
  'SHOUT.MP3': { title: 'SHOUT' },
  [`${LONG_NAME}.mp3`]: { title: LONG_NAME },
  '20 megabytes.mp3': { title: '20 megabytes' },
  'setup.mp3': { problem: /再生できませんでした|MP3でもM4A/ },
  'empty.mp3': { problem: /ファイルが空です/ },
  'broken header.m4a': { problem: /再生できませんでした|MP3でもM4A/ },
  'tagged once more.mp3': { problem: /すでにアップロードされています（「静かな雨の夜」）/ },
};
export const TITLES = Object.values(CHOSEN).flatMap((each) => ('title' in each ? [each.title] : []));

/** Writes the chosen files into a folder, and returns their paths, in order. */
export async function writeChosen(folder: string): Promise<string[]> {
  const tagged = makeTone(330, '静かな雨の夜');
  const m4a = makeM4a(90);
  const contents: Readonly<Record<keyof typeof CHOSEN, Uint8Array>> = {
    '01 tagged.mp3': tagged,
    'ピアノと海鳴り.mp3': makeTone(440),
    'moonlight.m4a': m4a,
    'SHOUT.MP3': makeTone(550),
    [`${LONG_NAME}.mp3`]: makeTone(660),
    '20 megabytes.mp3': makeLongMp3(20 * MEGABYTE, 1),
    'setup.mp3': Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(40_000, 'PE\0\0')]),
    'empty.mp3': new Uint8Array(),
    'broken header.m4a': patch(m4a, 'moov', 0, Buffer.from('m\0\0v')),
    'tagged once more.mp3': tagged,
  };
  await mkdir(folder, { recursive: true });
  return Promise.all(
    Object.keys(CHOSEN).map(async (name) => {
      const path = join(folder, name);
      await writeFile(path, contents[name] ?? new Uint8Array());
      return path;
    }),
  );
}

/** A pulsing tone. The file is identical on every call. */
export function makeTone(hertz: number, title = '', sec = 6): Uint8Array {
  const samples = Float32Array.from({ length: SAMPLE_RATE * sec }, (_, at) => {
    const time = at / SAMPLE_RATE;
    const swell = 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / sec);
    return 0.3 * Math.sin(2 * Math.PI * hertz * time) * swell * (0.7 + 0.3 * Math.sin(9 * time));
  });
  return encodeMp3(samples, { title, artist: '', album: '' });
}

/** Writes a file of such a tone into an existing folder. */
export async function writeTone(folder: string, name: string, hertz: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, makeTone(hertz));
  return path;
}

export async function writePicture(folder: string): Promise<string> {
  const path = join(folder, '海.png');
  await sharp({ create: { width: 800, height: 600, channels: 3, background: '#2b6f77' } }).toFile(path);
  return path;
}

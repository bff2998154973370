import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findLoopSpan } from '#src/stores/player/loop-span.ts';

const RATE = 22_050;

/** Half a second, with LAME's information. */
function readSound(): Uint8Array {
  const file = readFileSync('tests/fixtures/audio/lame-vbr-utf16.mp3');
  // Behind its ID3 tag, which is never stored.
  return new Uint8Array(file.subarray(file.indexOf('Xing') - 13));
}

it('a sound whose decoder has removed the padding is repeated whole', () => {
  expect(findLoopSpan(readSound(), 0.5)).toEqual({ startSec: 0, endSec: 0.5 });
});

it.each([
  ['only the sound', 0],
  ['also the frame with the information', 576],
])('of a sound with padding, of which the decoder decodes %s, the audible part is repeated', (_, more) => {
  const sound = readSound();
  const frames = new DataView(sound.buffer, sound.byteOffset).getUint32(13 + 8);
  const { startSec, endSec } = findLoopSpan(sound, (frames * 576 + more) / RATE);
  expect(Math.round((endSec - startSec) * RATE)).toBe(RATE / 2);
  // LAME's delay of 576 samples, and the decoder's.
  expect(Math.round(startSec * RATE)).toBe(576 + 529 + more);
});

it('a sound that is longer than its information says is repeated whole', () => {
  expect(findLoopSpan(readSound(), 3)).toEqual({ startSec: 0, endSec: 3 });
});

it.each(['shine.mp3', 'moov-last.m4a', 'README.md'])('%s is repeated whole', (name) => {
  const file = new Uint8Array(readFileSync(`tests/fixtures/audio/${name}`));
  for (const head of [file, file.subarray(0, 100), new Uint8Array()])
    expect(findLoopSpan(head, 3)).toEqual({ startSec: 0, endSec: 3 });
});

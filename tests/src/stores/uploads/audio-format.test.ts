import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findUnsupportedFormat } from '#src/stores/uploads/audio-format.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/audio/${name}`, import.meta.url));
const find = (bytes: Uint8Array) => findUnsupportedFormat(new Blob([Uint8Array.from(bytes)]));

it.each([
  ['Apple Lossless（ALAC）', readFixture('alac.m4a')],
  ['MP2', readFixture('mp2.mp3')],
  ['WAV', Buffer.from('RIFF\x24\x10\0\0WAVEfmt ', 'latin1')],
])('%s is reported by name, whatever the file name', async (format, bytes) => {
  expect(await find(bytes)).toBe(format);
});

it.each([
  ['an M4A', readFixture('moov-last.m4a')],
  ['an MP3', readFixture('lame-8k.mp3')],
  ['a program', Buffer.from('MZ\x90\0')],
  ['a damaged M4A', readFixture('alac.m4a').subarray(0, 40)],
  ['an M4A with a box of no size', Buffer.from('\0\0\0\x08ftyp\0\0\0\0free', 'latin1')],
  ['nothing', Buffer.alloc(0)],
])('%s is not reported as unsupported', async (_, bytes) => {
  expect(await find(bytes)).toBeUndefined();
});

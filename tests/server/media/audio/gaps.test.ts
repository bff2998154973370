import { describe, expect, test } from 'vitest';
import { withCleanAudio } from '#server/media/audio/audio.ts';
import { makeApe, makeId3, makeId3v1, toId3Text, readFixture } from '#support/files/audio-files.ts';
import { insert, makeGarbage, overwrite } from '#support/files/damage.ts';
import { encodeMp3, tone } from '#support/files/signals.ts';

const gapsOf = (file: Uint8Array) => withCleanAudio(file, ({ gapsMs }) => Promise.resolve(gapsMs));

/** 192 kbit/s: 24 bytes per millisecond. */
const song = await encodeMp3([tone(5, -12)]);
const MIDDLE = 60_000;

describe('a passage that cannot be read', () => {
  test.each<[what: string, file: Uint8Array]>([
    ['40 KB of garbage over the sound', overwrite(song, MIDDLE, makeGarbage(40_000))],
    ['40 KB of garbage between two parts of the sound', insert(song, MIDDLE, makeGarbage(40_000))],
    ['a hole, as a download leaves it that broke off', overwrite(song, MIDDLE, Buffer.alloc(16_384))],
  ])('is told of with its place: %s', async (_, file) => {
    expect(await gapsOf(file)).toEqual([expect.closeTo(MIDDLE / 24, -2)]);
  });

  test('is reported each time', async () => {
    const twice = overwrite(overwrite(song, 30_000, makeGarbage(5_000)), 90_000, makeGarbage(5_000, 'more'));
    expect(await gapsOf(twice)).toEqual([expect.closeTo(1_250, -2), expect.closeTo(3_540, -2)]);
  });
});

describe('no passage is missing', () => {
  const id3v1 = makeId3v1(Buffer.from('a'));
  const id3v2 = makeId3([['TIT2', toId3Text('歌')]]);
  const picture = makeId3([['APIC', makeGarbage(20_000)]]);
  const noted = readFixture('lame-vbr-utf16.mp3');

  test.each<[what: string, file: Uint8Array]>([
    ['in a whole sound', song],
    ['where sounds were joined with their tags', Buffer.concat([song, id3v1, id3v2, song])],
    [
      'where sounds were joined with tags at their ends',
      Buffer.concat([song, makeApe('a'.repeat(3_000)), song]),
    ],
    ['where sounds were joined with a picture', Buffer.concat([song, id3v1, picture, song])],
    ['where a tag is shorter than its padding', Buffer.concat([song, id3v2, Buffer.alloc(3_000), song])],
    [
      'where a sound is joined whose first frame is the encoder’s',
      Buffer.concat([noted, Buffer.alloc(4_000), noted]),
    ],
    ['where a sound was cut within a frame', Buffer.concat([song.subarray(0, MIDDLE + 100), song])],
    [
      'where a recorder of streams left the name of the song',
      insert(song, MIDDLE, Buffer.alloc(240, 'StreamTitle')),
    ],
    ['before the first frame', Buffer.concat([makeGarbage(5_000), song])],
    ['behind the last frame', Buffer.concat([song, makeGarbage(5_000)])],
  ])('%s', async (_, file) => {
    expect(await gapsOf(file)).toEqual([]);
  });
});

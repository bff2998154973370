import { describe, expect, test } from 'vitest';
import { TooShortAudioError, UnusableAudioError, probeAudio } from '#server/media/audio/audio.ts';
import { clean, decodeAudio, readFixture } from '#support/files/audio-files.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';
import { changeBox, toLong } from './m4a-boxes.ts';

/** 0.3 s at 48 kHz in milliseconds, behind 1,024 samples of priming. */
const right: Buffer = readFixture('moov-last.m4a');
const whole = await clean(right);
/** Where the duration of version 0 is. */
const DURATIONS = [
  ['mvhd', 16],
  ['tkhd', 20],
  ['mdhd', 16],
] as const;
const LIES: [what: string, lie: (units: number) => number][] = [
  ['twenty times as long', (units) => units * 20],
  ['half as long', (units) => Math.floor(units / 2)],
  ['empty', () => 0],
  ['of an unknown length', () => 0xffff_ffff],
];

const setDuration =
  (durationAt: number, isLong: boolean, lie: (units: number) => number) =>
  (content: Buffer): Buffer => {
    const longer = isLong ? toLong(durationAt)(content) : content;
    const at = isLong ? durationAt + 12 : durationAt;
    longer.writeUInt32BE(lie(longer.readUInt32BE(at)), at);
    return longer;
  };

const setEdit =
  (isLong: boolean, lie: (units: number) => number, start = 1_024) =>
  (content: Buffer): Buffer => {
    const edit = Buffer.alloc(isLong ? 28 : 20);
    edit[0] = isLong ? 1 : 0;
    edit.writeUInt32BE(1, 4);
    edit.writeUInt32BE(lie(content.readUInt32BE(8)), isLong ? 12 : 8);
    edit.writeInt32BE(start, isLong ? 20 : 12);
    edit.writeUInt32BE(0x10000, isLong ? 24 : 16);
    return edit;
  };

describe.each([0, 1])('an M4A with headers of version %i', (version) => {
  const isLong = version === 1;
  const setAll = (lie: (units: number) => number) =>
    DURATIONS.reduce<Buffer>(
      (file, [type, at]) => changeBox(file, type, setDuration(at, isLong, lie)),
      right,
    );

  test.each(LIES)('that say it is %s is stored with the length of its frames', async (_, lie) => {
    for (const [type, at] of DURATIONS) {
      const honest = changeBox(right, type, setDuration(at, isLong, Number));
      const lying = changeBox(right, type, setDuration(at, isLong, lie));
      expect((await clean(lying)).equals(await clean(honest))).toBe(true);
    }
    const lying = changeBox(setAll(lie), 'elst', setEdit(isLong, lie));
    const cleaned = await clean(lying);
    expect(cleaned.equals(await clean(setAll(Number)))).toBe(true);
    expect((await probeAudio(lying)).durationMs).toBe(300);
    expect(await decodeAudio(cleaned)).toEqual(await decodeAudio(right));
  });

  test.each(LIES.filter(([what]) => what !== 'half as long'))(
    'and an edit list that is %s keeps its priming out',
    async (_, lie) => {
      expect((await clean(changeBox(right, 'elst', setEdit(isLong, lie)))).equals(whole)).toBe(true);
    },
  );

  test('and an edit list that cuts it keeps the cut, as players do', async () => {
    const cut = changeBox(
      right,
      'elst',
      setEdit(isLong, () => 150),
    );
    expect((await probeAudio(cut)).durationMs).toBe(150);
    const cleaned = await clean(cut);
    for (const [type, at] of DURATIONS.slice(0, 2)) {
      expect(cleaned.readUInt32BE(cleaned.indexOf(type) + 4 + at)).toBe(300);
    }
  });

  test('and an edit list that starts behind the sound loses it', async () => {
    const file = changeBox(right, 'elst', setEdit(isLong, Number, 100_000));
    expect((await clean(file)).includes('elst')).toBe(false);
  });
});

describe('an M4A whose times are false', () => {
  test.each<[what: string, frames: number, units: number]>([
    ['twice as long', 43, 2_048],
    ['half as long', 43, 512],
    ['empty', 43, 0],
    ['given for half of the frames', 20, 1_024],
    ['those of 2^31 frames', 2 ** 31, 1_024],
  ])('has those of its frames: %s', async (_, frames, units) => {
    const plain = makeM4a();
    const file = changeBox(Buffer.from(plain), 'stts', (content) => {
      content.writeUInt32BE(frames, 8);
      content.writeUInt32BE(units, 12);
      return content;
    });
    expect((await clean(file)).equals(await clean(plain))).toBe(true);
  });

  test('by a wrong number of units in a second has the right one', async () => {
    const plain = Buffer.from(makeM4a());
    const file = changeBox(plain, 'mdhd', (content) => {
      content.writeUInt32BE(8_000, 12);
      return content;
    });
    expect((await clean(file)).equals(await clean(plain))).toBe(true);
  });

  test('because its track has neither a unit nor times has the right ones', async () => {
    const plain = Buffer.from(makeM4a());
    const unitless = changeBox(plain, 'mdhd', (content) => content.fill(0, 12, 16));
    const timeless = changeBox(unitless, 'stts', (content) => content.fill(0, 12));
    for (const file of [unitless, timeless])
      expect((await clean(file)).equals(await clean(plain))).toBe(true);
  });

  test('because its movie has no unit gets milliseconds', async () => {
    const file = changeBox(right, 'mvhd', (content) => {
      content.writeUInt32BE(0, 12);
      return content;
    });
    expect((await clean(file)).equals(whole)).toBe(true);
  });
});

test('two frames can be played, one is too short', async () => {
  expect((await probeAudio(makeM4a(2))).durationMs).toBe(46);
  await expect(probeAudio(makeM4a(1))).rejects.toBeInstanceOf(TooShortAudioError);
  expect(new TooShortAudioError('')).toBeInstanceOf(UnusableAudioError);
});

import { describe, expect, test } from 'vitest';
import { analyse, join, silence, tone } from '#support/files/signals.ts';

const lufsOf = (channels: readonly Float32Array[], options?: Parameters<typeof analyse>[1]) =>
  analyse(channels, options).findings.loudness_lufs;

type Part = readonly [seconds: number, dbfs: number];

function tones(rate: number, parts: readonly Part[]) {
  const samples = join(...parts.map(([seconds, dbfs]) => tone(seconds, dbfs, { hz: 1_000, rate })));
  return [samples, samples];
}

/** The stereo signals of EBU Tech 3341 table 1. Each has to read within 0.1 LU. */
const EBU_CASES: readonly {
  readonly name: string;
  readonly lufs: number;
  readonly parts: readonly Part[];
}[] = [
  { name: '1: a tone', lufs: -23, parts: [[20, -23]] },
  { name: '2: a quieter tone', lufs: -33, parts: [[20, -33]] },
  {
    name: '3: the relative gate',
    lufs: -23,
    parts: [
      [10, -36],
      [60, -23],
      [10, -36],
    ],
  },
  {
    name: '4: both gates',
    lufs: -23,
    parts: [
      [10, -72],
      [10, -36],
      [60, -23],
      [10, -36],
      [10, -72],
    ],
  },
  {
    name: '5: louder for a while',
    lufs: -23,
    parts: [
      [20, -26],
      [20.1, -20],
      [20, -26],
    ],
  },
];

describe.each([44_100, 48_000])('at %i Hz', (rate) => {
  test.each(EBU_CASES)('EBU Tech 3341 case $name', ({ lufs, parts }) => {
    const measured = lufsOf(tones(rate, parts), { rate });
    expect(Math.abs((measured ?? 0) - lufs)).toBeLessThanOrEqual(0.1);
  });
});

describe('more than two channels', () => {
  const at = (dbfs: number) => tone(20, dbfs, { hz: 1_000 });
  const none = silence(20);

  test('EBU Tech 3341 case 6: surround channels count 1.41 times', () => {
    const [front, centre, surround] = [at(-28), at(-24), at(-30)];
    const measured = lufsOf([front, front, centre, surround, surround], { configuration: 5 });
    expect(Math.abs((measured ?? 0) + 23)).toBeLessThanOrEqual(0.1);
  });

  test('the low-frequency channel of 5.1 does not count', () => {
    const loud = at(-6);
    expect(lufsOf([none, none, none, loud, none, none], { configuration: 6 })).toBeNull();
    expect(lufsOf([none, none, none, loud, none, none], { configuration: 0 })).toBeNull();
  });

  test.each<[layout: string, configuration: number, weights: readonly number[]]>([
    ['3.0', 3, [1, 1, 1]],
    ['4.0', 4, [1, 1, 1, 1.41]],
    ['5.1', 6, [1, 1, 1, 0, 1.41, 1.41]],
    ['7.1, which the decoder leaves in the order of the stream', 7, [1, 1, 1, 1.41, 1.41, 1.41, 1.41, 0]],
    ['quadraphonic, of a layout of its own', 0, [1, 1, 1.41, 1.41]],
    ['2.1, of a layout of its own', 0, [1, 1, 0]],
    ['7.1, of a layout of its own', 0, [1, 1, 1, 0, 1.41, 1.41, 1.41, 1.41]],
  ])('weights of %s', (_, configuration, weights) => {
    for (const [channel, weight] of weights.entries()) {
      const channels = weights.map((__, index) => (index === channel ? at(-20) : none));
      const measured = lufsOf(channels, { configuration });
      if (weight === 0) expect(measured).toBeNull();
      else expect(measured).toBeCloseTo(-23 + 10 * Math.log10(weight), 1);
    }
  });
});

test.each([22_050, 24_000, 32_000, 96_000])(
  '997 Hz at −23 dBFS on both sides is −23 LUFS at %i Hz',
  (rate) => {
    const samples = tone(3, -23, { rate });
    expect(lufsOf([samples, samples], { rate })).toBeCloseTo(-23, 1);
  },
);

test('one channel counts once, half as much as the same signal on both sides', () => {
  const samples = tone(3, -20);
  expect(lufsOf([samples])).toBeCloseTo(-23, 1);
  expect(lufsOf([samples, samples])).toBeCloseTo(-20, 1);
});

test('a stereo file counts twice although its decoder merges identical channels', () => {
  const samples = tone(3, -20);
  expect(lufsOf([samples], { channelCount: 2 })).toBeCloseTo(-20, 1);
});

test('low tones weigh less and high ones more', () => {
  const at = (hz: number) => lufsOf([tone(3, -20, { hz })]) ?? 0;
  expect(at(40)).toBeLessThan(at(997) - 3);
  expect(at(4_000)).toBeGreaterThan(at(997) + 2.5);
});

test('pauses do not make a sound quieter', () => {
  const loud = tone(4, -20);
  const paused = lufsOf([join(loud, silence(20), loud)]);
  expect(Math.abs((paused ?? 0) - (lufsOf([loud]) ?? 0))).toBeLessThan(0.3);
});

test('no loudness is reported for silence or for less than a block', () => {
  expect(lufsOf([silence(5)])).toBeNull();
  expect(lufsOf([tone(0.39, -10)])).toBeNull();
  expect(lufsOf([tone(0.41, -10)])).not.toBeNull();
});

test('NaN samples do not affect later ones', () => {
  const broken = join(Float32Array.of(Number.NaN, Infinity), tone(5, -20));
  expect(lufsOf([broken])).toBeCloseTo(-23, 0);
});

import type { Random } from '../random.ts';
import { addPanned, layer, scale, stereoSilence } from '../synth/audio.ts';
import { decay, fadeEnds, line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { brownNoise, pinkNoise, tone, whiteNoise } from '../synth/oscillators.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, scatter, sequence, twoSides, wander } from './blocks.ts';

const smallRoom = { decaySeconds: 0.5, damping: 0.6, wet: 0.14 };

function wood(random: Random, hertz: number): Float32Array {
  // prettier-ignore
  return layer(
    modes(hertz, 0.3, [[1, 0.7, 0.035], [1.72, 0.4, 0.024], [2.9, 0.25, 0.014], [4.3, 0.1, 0.008]]),
    scale(burst(random, 0.01, 'band', hertz * 6, 1), 0.6),
  );
}

const knock: Effect = ({ seconds, pitch, random }) => {
  const hits = [0, 0.24, 0.47].map((at, i): [number, Float32Array, number] => [
    at,
    wood(random, (210 + i * 4) * pitch),
    1 - i * 0.08,
  ]);
  return inRoom(sequence(seconds, ...hits), seconds, smallRoom);
};

const doorOpen: Effect = ({ seconds, random }) => {
  const latch = sequence(0.3, [0, burst(random, 0.008, 'band', 2600, 2)], [0.06, wood(random, 320), 0.6]);
  // A hinge alternately sticks and slips: a saw wave with an irregular pitch.
  const drag = wander(random, 1.4, 7, 90, 210);
  const creak = shape(
    filter(
      tone('saw', 1.1, (t) => drag(t) * (1 + t * 0.4)),
      'band',
      1150,
      4,
    ),
    line([0, 0], [0.1, 0.5], [0.8, 0.8], [1.1, 0]),
  );
  return inRoom(sequence(seconds, [0, latch], [0.22, creak, 0.7]), seconds, smallRoom);
};

const doorClose: Effect = ({ seconds, random }) =>
  inRoom(
    sequence(
      seconds,
      [0, shape(filter(pinkNoise(0.25, random), 'low', 700), line([0, 0.1], [0.25, 0.5]))],
      [0.24, layer(blip(120, 58, 0.03, 0.09), burst(random, 0.05, 'low', 900)), 1.4],
      [0.245, wood(random, 150), 1],
      [0.33, burst(random, 0.01, 'band', 2300, 2), 0.5],
    ),
    seconds,
    smallRoom,
  );

/** Steps at walking pace, alternating left and right. */
function walk(seconds: number, random: Random, pace: number, step: () => Float32Array) {
  const out = stereoSilence(seconds);
  for (let n = 0; n * pace < seconds - 0.3; n++)
    addPanned(
      out,
      step(),
      n === 0 ? 0 : n * pace + (random() - 0.5) * 0.03,
      0.75 + 0.25 * random(),
      n % 2 === 0 ? -0.2 : 0.2,
    );
  return out;
}

const stepsGravel: Effect = ({ seconds, random }) =>
  walk(seconds, random, 0.58, () => {
    const grains = Array.from({ length: 26 }, (_, i): [number, Float32Array, number] => [
      i < 6 ? i * 0.006 : 0.03 + random() * 0.2,
      burst(random, 0.004 + random() * 0.008, 'band', 1500 + 4200 * random(), 1.5),
      0.3 + 0.7 * random(),
    ]);
    return sequence(0.35, ...grains, [0, burst(random, 0.03, 'low', 300), 0.8]);
  });

const stepsCorridor: Effect = ({ seconds, random }) => {
  const steps = walk(seconds, random, 0.52, () =>
    sequence(
      0.25,
      [0, layer(blip(190, 95, 0.012, 0.022), burst(random, 0.006, 'band', 2400, 1.4))],
      [0.085, burst(random, 0.006, 'band', 1700, 1.6), 0.35],
    ),
  );
  return inRoom(steps.left, seconds, { decaySeconds: 1.7, damping: 0.35, wet: 0.35 });
};

const stepsSnow: Effect = ({ seconds, random }) =>
  walk(seconds, random, 0.66, () => {
    const squeak = wander(random, 0.4, 60, 0.1, 1);
    const crush = filter(whiteNoise(0.3, random), 'band', line([0, 1100], [0.16, 2100], [0.3, 1300]), 0.8);
    return shape(crush, (t) => squeak(t) * line([0, 0.3], [0.03, 1], [0.18, 0.8], [0.3, 0])(t));
  });

const running: Effect = ({ seconds, random }) =>
  walk(seconds, random, 0.27, () =>
    layer(blip(150, 70, 0.012, 0.03), scale(burst(random, 0.02, 'band', 900, 0.8), 0.8)),
  );

const paper: Effect = ({ seconds, random }) => {
  const crackle = wander(random, seconds, 70, 0, 1);
  const sweep = filter(
    whiteNoise(seconds, random),
    'band',
    line([0, 2200], [seconds * 0.6, 5200], [seconds, 3000]),
    0.7,
  );
  shape(
    sweep,
    (t) => crackle(t) ** 2 * line([0, 0.4], [seconds * 0.35, 1], [seconds * 0.7, 0.5], [seconds, 0])(t),
  );
  return sequence(seconds, [0, sweep], [seconds * 0.72, burst(random, 0.02, 'band', 1500, 0.8), 0.6]);
};

const typing: Effect = ({ seconds, pitch, random }) => {
  const out = stereoSilence(seconds);
  for (let at = 0; at < seconds - 0.15; at += 0.07 + random() ** 3 * 0.32) {
    const space = random() < 0.12;
    const key = layer(
      burst(random, 0.004, 'band', (space ? 1500 : 2600 + 1400 * random()) * pitch, 1.6),
      scale(blip(space ? 210 : 330, space ? 150 : 240, 0.006, 0.014), 0.5),
    );
    addPanned(
      out,
      sequence(0.16, [0, key], [0.075 + random() * 0.02, burst(random, 0.003, 'band', 3600 * pitch, 2), 0.4]),
      at,
      0.5 + 0.5 * random(),
      random() * 0.8 - 0.4,
    );
  }
  return out;
};

const shutter: Effect = ({ seconds, random }) =>
  sequence(
    seconds,
    [0, burst(random, 0.006, 'band', 3200, 1.2)],
    [0.012, burst(random, 0.012, 'band', 1500, 1.5), 0.9],
    [0.075, burst(random, 0.008, 'band', 2500, 1.2), 0.9],
    [
      0.09,
      shape(
        filter(whiteNoise(0.16, random), 'band', 1900, 2),
        (t) => 0.35 * (0.5 + 0.5 * Math.sin(t * 700)) * Math.exp(-t / 0.05),
      ),
    ],
  );

const applause: Effect = ({ seconds, random }) => {
  const swell = line([0, 0.5], [seconds * 0.15, 1], [seconds * 0.65, 0.9], [seconds, 0]);
  const sound = twoSides(() =>
    shape(scale(filter(pinkNoise(seconds, random), 'band', 1300, 0.5), 0.1), swell),
  );
  return scatter(
    sound,
    random,
    150,
    () => burst(random, 0.006 + 0.008 * random(), 'band', 800 + 1500 * random(), 1.5),
    swell,
  );
};

const heartbeat: Effect = ({ seconds, pitch, random }) => {
  const beats: [number, Float32Array, number][] = [];
  for (let at = 0; at < seconds - 0.3; at += 0.86 / pitch) {
    beats.push([at, layer(blip(72, 42, 0.04, 0.07, 0.006), scale(burst(random, 0.02, 'low', 160), 0.5)), 1]);
    beats.push([at + 0.27, blip(62, 40, 0.03, 0.055, 0.006), 0.7]);
  }
  return sequence(seconds, ...beats);
};

const clock: Effect = ({ seconds, pitch, random }) => {
  // prettier-ignore
  const ticks = Array.from({ length: Math.floor(seconds * 2) }, (_, i): [number, Float32Array, number] => [
    i * 0.5,
    layer(modes((i % 2 === 0 ? 2350 : 1980) * pitch, 0.08, [[1, 0.5, 0.009], [2.3, 0.3, 0.005]]), burst(random, 0.003, 'band', 4200, 1.5)),
    i % 2 === 0 ? 1 : 0.8,
  ]);
  return inRoom(sequence(seconds, ...ticks), seconds, { decaySeconds: 0.6, damping: 0.5, wet: 0.12 });
};

const dishes: Effect = ({ seconds, random }) => {
  // prettier-ignore
  const clink = (hertz: number) => modes(hertz, 0.7, [[1, 0.5, 0.09], [1.52, 0.35, 0.07], [2.37, 0.3, 0.04], [3.8, 0.15, 0.02]]);
  return inRoom(
    sequence(
      seconds,
      [0, clink(2350)],
      [0.13, clink(2980), 0.6],
      [0.42, clink(2120), 0.8],
      [0.5, burst(random, 0.01, 'high', 3000), 0.2],
    ),
    seconds,
    smallRoom,
  );
};

const pour: Effect = ({ seconds, random }) => {
  const sound = twoSides(() =>
    scale(filter(pinkNoise(seconds, random), 'band', line([0, 700], [seconds, 1500]), 1), 0.25),
  );
  const level = line([0, 320], [seconds, 900]);
  for (let at = 0; at < seconds - 0.1; at += 0.012 + 0.03 * random()) {
    const hertz = level(at) * (0.8 + 0.7 * random());
    addPanned(
      sound,
      blip(hertz, hertz * 1.5, 0.03, 0.014 + 0.02 * random(), 0.004),
      at,
      0.3 * random(),
      random() - 0.5,
    );
  }
  for (const channel of [sound.left, sound.right]) fadeEnds(channel, 0.01, 0.25);
  return sound;
};

const frying: Effect = ({ seconds, random }) => {
  const sizzle = wander(random, seconds, 3, 0.6, 1);
  const sound = twoSides(() =>
    shape(filter(whiteNoise(seconds, random), 'high', 4200), (t) => 0.12 * sizzle(t)),
  );
  return scatter(sound, random, 90, () =>
    burst(random, 0.002 + 0.004 * random(), 'band', 2500 + 3500 * random(), 1.4),
  );
};

/** A cat: a reedy tone through a mouth that opens and closes. */
const cat: Effect = ({ seconds, pitch, random }) => {
  const bend = line([0, 560], [0.12, 720], [seconds * 0.55, 690], [seconds, 430]);
  const voice = tone('saw', seconds, (t) => bend(t) * pitch * (1 + 0.008 * Math.sin(t * 38)));
  const mouth = line([0, 900], [seconds * 0.35, 1900], [seconds * 0.7, 1500], [seconds, 800]);
  const open = filter(voice.slice(), 'band', (t) => mouth(t) * pitch, 3);
  const nose = scale(filter(voice, 'low', 1000 * pitch), 0.25);
  const breath = scale(filter(whiteNoise(seconds, random), 'band', 3200, 1), 0.03);
  return shape(
    layer(open, nose, breath),
    line([0, 0.05], [0.07, 0.7], [seconds * 0.45, 1], [seconds * 0.8, 0.5], [seconds, 0]),
  );
};

const purr: Effect = ({ seconds, random }) => {
  const breath = (t: number) => 0.55 + 0.45 * Math.sin(t * 2 * Math.PI * 0.42 - 0.4);
  const rumble = filter(brownNoise(seconds, random), 'band', 170, 0.6);
  return shape(
    rumble,
    (t) =>
      breath(t) * (0.15 + (0.5 + 0.5 * Math.sin(t * 2 * Math.PI * 25)) ** 3) * Math.min(1, (seconds - t) * 2),
  );
};

const whoosh: Effect = ({ seconds, pitch, random }) =>
  shape(
    filter(
      whiteNoise(seconds, random),
      'band',
      line([0, 500 * pitch], [seconds * 0.45, 2600 * pitch], [seconds, 400 * pitch]),
      1.3,
    ),
    line([0, 0.04], [seconds * 0.42, 1], [seconds, 0]),
  );

const switchOn: Effect = ({ seconds, random }) =>
  sequence(
    seconds,
    [0, burst(random, 0.003, 'band', 2800, 2)],
    [0, decay(tone('sine', 0.1, 310), 0.012), 0.6],
    [0.03, wood(random, 420), 0.5],
  );

export const life = {
  knock,
  doorOpen,
  doorClose,
  stepsGravel,
  stepsCorridor,
  stepsSnow,
  running,
  paper,
  typing,
  shutter,
  applause,
  heartbeat,
  clock,
  dishes,
  pour,
  frying,
  cat,
  purr,
  whoosh,
  switchOn,
} satisfies Record<string, Effect>;

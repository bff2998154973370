import type { Random } from '../random.ts';
import { addAt, layer, scale, silence } from '../synth/audio.ts';
import { line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { brownNoise, pinkNoise, tone, whiteNoise } from '../synth/oscillators.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, scatter, sequence, twoSides } from './blocks.ts';

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

const trainPass: Effect = ({ seconds, random }) => {
  const swell = line([0, 0.25], [seconds * 0.35, 1], [seconds * 0.7, 0.9], [seconds, 0]);
  const sound = twoSides(() => shape(filter(brownNoise(seconds, random), 'low', 600), (t) => 1.1 * swell(t)));
  const hiss = scale(shape(filter(pinkNoise(seconds, random), 'band', 2200, 0.6), swell), 0.2);
  for (let at = 0; at < seconds - 0.4; at += 0.92)
    // prettier-ignore
    for (const [lag, gain] of [[0, 1], [0.13, 0.85], [0.5, 0.6], [0.61, 0.5]] as const) {
      const joint = layer(blip(130, 75, 0.02, 0.05), scale(burst(random, 0.025, 'band', 1500, 0.8), 0.8));
      addAt(sound.left, joint, at + lag, gain * swell(at));
      addAt(sound.right, joint, at + lag + 0.004, gain * swell(at));
    }
  addAt(sound.left, hiss, 0);
  addAt(sound.right, hiss, 0.011);
  return sound;
};

const crossing: Effect = ({ seconds, pitch }) => {
  const out = silence(seconds);
  for (let n = 0; n * 0.46 < seconds - 0.5; n++) {
    const hertz = (n % 2 === 0 ? 700 : 660) * pitch;
    // prettier-ignore
    addAt(out, modes(hertz, 0.8, [[1, 0.5, 0.16], [1.007, 0.4, 0.15], [2.6, 0.3, 0.06], [4.1, 0.2, 0.03]]), n * 0.46);
  }
  return inRoom(out, seconds, { decaySeconds: 0.9, damping: 0.5, wet: 0.14 });
};

const phoneRing: Effect = ({ seconds, pitch }) => {
  const bell = layer(
    tone('sine', seconds, 1420 * pitch),
    scale(tone('sine', seconds, 1760 * pitch), 0.7),
    scale(tone('triangle', seconds, 2840 * pitch), 0.3),
  );
  return shape(bell, (t) => {
    const place = t % 2;
    const clapper = Math.abs(Math.sin(Math.PI * 16 * t)) ** 0.5;
    return place < 1
      ? (0.3 + 0.7 * clapper) * Math.min(1, place / 0.005)
      : 0.7 * Math.exp(-(place - 1) / 0.16);
  });
};

export const life = {
  knock,
  applause,
  heartbeat,
  clock,
  cat,
  purr,
  whoosh,
  trainPass,
  crossing,
  phoneRing,
} satisfies Record<string, Effect>;

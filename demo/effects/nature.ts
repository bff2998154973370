import type { Random } from '../random.ts';
import { addAt, addPanned, layer, scale, silence, type Stereo, stereoSilence } from '../synth/audio.ts';
import { decay, fadeEnds, line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { brownNoise, pinkNoise, tone, whiteNoise } from '../synth/oscillators.ts';
import { modes } from '../synth/struck.ts';
import { addReverb } from '../synth/space.ts';
import {
  blip,
  burst,
  type Effect,
  inRoom,
  scatter,
  SEAM_SECONDS,
  seamless,
  sequence,
  twoSides,
  wander,
} from './blocks.ts';

function mixed(target: Stereo, source: Stereo, gain: number): Stereo {
  addAt(target.left, source.left, 0, gain);
  addAt(target.right, source.right, 0, gain);
  return target;
}

function drop(random: Random, low: number, high: number): Float32Array {
  const hertz = low + (high - low) * random() ** 2;
  return blip(hertz, hertz * 1.5, 0.02, 0.006 + 0.012 * random());
}

function rainfall(seconds: number, random: Random, dense: number, drops: number): Stereo {
  const length = seconds + SEAM_SECONDS;
  const hiss = twoSides(() => {
    const gusts = wander(random, length, 0.4, 0.75, 1);
    return shape(filter(filter(whiteNoise(length, random), 'high', 900), 'low', 7500), gusts);
  });
  const body = twoSides(() => filter(pinkNoise(length, random), 'low', 900));
  const sound = mixed(mixed(stereoSilence(length), hiss, dense), body, dense * 0.8);
  scatter(
    sound,
    random,
    drops,
    () => drop(random, 900, 4800),
    () => 0.22,
  );
  return seamless(sound, seconds);
}

const rainSoft: Effect = ({ seconds, random }) => rainfall(seconds, random, 0.06, 120);

const thunder: Effect = ({ seconds, random }) => {
  const crack = layer(burst(random, 0.09, 'high', 900), scale(burst(random, 0.25, 'band', 500, 0.6), 1.6));
  const roll = wander(random, seconds, 5, 0.1, 1);
  const rumble = shape(
    filter(brownNoise(seconds, random), 'low', line([0, 700], [1.5, 260], [seconds, 90]), 0.8),
    (t) => roll(t) * Math.min(1, t / 0.05) * Math.exp(-t / (seconds * 0.34)) * 5,
  );
  return inRoom(layer(rumble, crack), seconds, { decaySeconds: 3.5, damping: 0.7, wet: 0.35 });
};

const wind: Effect = ({ seconds, pitch, random }) => {
  const length = seconds + SEAM_SECONDS;
  const strength = wander(random, length, 0.45, 0.15, 1);
  return seamless(
    twoSides(() => {
      const howl = filter(pinkNoise(length, random), 'band', (t) => (260 + 620 * strength(t)) * pitch, 5);
      const air = filter(pinkNoise(length, random), 'low', (t) => 300 + 900 * strength(t));
      return shape(layer(howl, scale(air, 0.5)), (t) => strength(t) ** 1.5);
    }),
    seconds,
  );
};

const waves: Effect = ({ seconds, random }) => {
  const period = 7;
  const swell = (t: number, lag: number) => {
    const place = ((t + lag) % period) / period;
    return place < 0.32 ? (place / 0.32) ** 2 : Math.exp(-(place - 0.32) * 5.5);
  };
  const length = seconds + SEAM_SECONDS;
  return seamless({ left: side(0), right: side(0.35) }, seconds);
  function side(lag: number): Float32Array {
    const surf = filter(whiteNoise(length, random), 'low', (t) => 500 + 5200 * swell(t, lag + 2), 0.6);
    return layer(
      shape(surf, (t) => 0.05 + 0.5 * swell(t, lag + 2)),
      shape(filter(brownNoise(length, random), 'low', 220), (t) => 0.3 + swell(t, lag + 2.6)),
    );
  }
};

const river: Effect = ({ seconds, random }) => {
  const length = seconds + SEAM_SECONDS;
  const sound = twoSides(() => scale(filter(pinkNoise(length, random), 'band', 900, 0.5), 0.35));
  scatter(sound, random, 55, () => {
    const hertz = 350 + 900 * random();
    return scale(blip(hertz, hertz * (1.2 + random() * 0.6), 0.04, 0.02 + 0.03 * random(), 0.008), 0.3);
  });
  return seamless(sound, seconds);
};

const campfire: Effect = ({ seconds, random }) => {
  const length = seconds + SEAM_SECONDS;
  const flicker = wander(random, length, 6, 0.4, 1);
  const sound = twoSides(() =>
    shape(filter(brownNoise(length, random), 'band', 180, 0.6), (t) => 0.9 * flicker(t)),
  );
  scatter(sound, random, 16, () =>
    burst(random, 0.002 + 0.006 * random(), 'band', 1800 + 4000 * random(), 1.5),
  );
  scatter(sound, random, 1.4, () => scale(burst(random, 0.02, 'band', 900 + 900 * random(), 1.2), 1.8));
  return seamless(sound, seconds);
};

const waterDrop: Effect = ({ seconds, pitch, random }) => {
  const plink = (at: number): [number, Float32Array, number] => {
    const hertz = (700 + 500 * random()) * pitch;
    return [
      at,
      layer(blip(hertz, hertz * 1.9, 0.03, 0.035), scale(burst(random, 0.004, 'high', 3000), 0.12)),
      0.7 + 0.3 * random(),
    ];
  };
  const times = Array.from({ length: Math.max(1, Math.floor(seconds / 0.9)) }, (_, i) =>
    i === 0 ? 0 : i * 0.83 + random() * 0.12,
  );
  return inRoom(sequence(seconds, ...times.map(plink)), seconds, {
    decaySeconds: 2.4,
    damping: 0.2,
    wet: 0.4,
  });
};

/** One call: `notes` are [start, end, kHz from, kHz to]. */
function whistle(notes: readonly (readonly [number, number, number, number])[]): Float32Array {
  const parts = notes.map(([start, end, from, to]): [number, Float32Array] => {
    const length = end - start;
    const sweep = tone(
      'sine',
      length,
      (t) => 1000 * (from + ((to - from) * t) / length) * (1 + 0.012 * Math.sin(t * 180)),
    );
    return [start, fadeEnds(sweep, 0.012, 0.025)];
  });
  return sequence((notes.at(-1)?.[1] ?? 1) + 0.05, ...parts);
}

const smallBirds: Effect = ({ seconds, random }) => {
  const sound = stereoSilence(seconds);
  const place = stereoSilence(seconds);
  for (let at = 0; at < seconds - 0.8; at += 0.25 + random() * 0.9) {
    const base = 2.6 + 2.2 * random();
    const song = Array.from(
      { length: 2 + Math.floor(random() * 4) },
      (_, i) => [i * 0.11, i * 0.11 + 0.07, base, base * (0.85 + 0.4 * random())] as const,
    );
    addPanned(sound, whistle(song), at, 0.25 + 0.5 * random(), random() * 1.6 - 0.8);
  }
  addReverb(place, sound, { decaySeconds: 1.6, damping: 0.5, wet: 0.3 });
  const leaves = twoSides(() => scale(filter(pinkNoise(seconds, random), 'high', 1800), 0.03));
  return mixed(mixed(sound, place, 1), leaves, 1);
};

const windChime: Effect = ({ seconds, pitch, random }) => {
  const out = silence(seconds);
  for (let at = 0, n = 0; at < seconds - 1; n++, at += 0.35 + random() * 1.3) {
    const hertz = (n % 3 === 2 ? 2790 : 2480) * pitch * (0.997 + 0.006 * random());
    // prettier-ignore
    addAt(out, modes(hertz, 2.4, [[1, 0.6, 0.5], [1.006, 0.3, 0.6], [2.7, 0.16, 0.2], [5.2, 0.08, 0.06]]), at, 0.5 + 0.5 * random());
  }
  return inRoom(decay(out, 30, 0), seconds, { decaySeconds: 1.8, damping: 0.2, wet: 0.2 });
};

export const nature = {
  rainSoft,
  thunder,
  wind,
  waves,
  river,
  campfire,
  waterDrop,
  smallBirds,
  windChime,
} satisfies Record<string, Effect>;

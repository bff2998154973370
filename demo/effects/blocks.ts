import type { Random } from '../random.ts';
import {
  addAt,
  addPanned,
  SAMPLE_RATE,
  silence,
  type Stereo,
  stereoSilence,
  toSamples,
} from '../synth/audio.ts';
import { decay } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { type InstrumentName, instruments } from '../synth/instruments.ts';
import { sine, tone, whiteNoise } from '../synth/oscillators.ts';
import { addReverb, type Room } from '../synth/space.ts';
import { midiToHertz } from '../music/theory.ts';

export interface Setting {
  seconds: number;
  /** Multiplies pitch; 1: unchanged. */
  pitch: number;
  random: Random;
}

/** Mono effects are identical on both sides; ambiences are stereo. */
export type Effect = (setting: Setting) => Float32Array | Stereo;

/** Decaying filtered noise: the body of knocks, steps, splashes. */
export function burst(
  random: Random,
  tau: number,
  mode: 'low' | 'band' | 'high',
  hertz: number,
  q = 0.8,
  attack = 0.001,
): Float32Array {
  return decay(filter(whiteNoise(attack + tau * 7, random), mode, hertz, q), tau, attack);
}

/** A decaying sine of falling or rising pitch: thumps, drops, blips. */
export function blip(from: number, to: number, glide: number, tau: number, attack = 0.001): Float32Array {
  return decay(
    tone('sine', attack + tau * 7, (t) => to + (from - to) * Math.exp(-t / glide)),
    tau,
    attack,
  );
}

/** A smooth random curve with about `rate` turns a second, as a function of seconds. */
export function wander(random: Random, seconds: number, rate: number, low: number, high: number) {
  const points = Float32Array.from(
    { length: Math.ceil(seconds * rate) + 3 },
    () => low + (high - low) * random(),
  );
  return (t: number) => {
    const place = t * rate;
    const index = Math.floor(place);
    const blend = 0.5 - 0.5 * sine(0.25 + (place - index) / 2);
    return (points[index] ?? low) * (1 - blend) + (points[index + 1] ?? low) * blend;
  };
}

/** Mixes sounds into new silence. */
export function sequence(
  seconds: number,
  ...parts: [at: number, sound: Float32Array, gain?: number][]
): Float32Array {
  const out = silence(seconds);
  for (const [at, sound, gain] of parts) addAt(out, sound, at, gain);
  return out;
}

export function inRoom(sound: Float32Array, seconds: number, room: Room): Stereo {
  const out = stereoSilence(seconds);
  addPanned(out, sound, 0, 1, 0);
  addReverb(out, { left: out.left.slice(), right: out.right.slice() }, room);
  return out;
}

/** Two independent takes, one per side. */
export function twoSides(take: () => Float32Array): Stereo {
  return { left: take(), right: take() };
}

/** Seconds of extra material that `seamless` folds into the start. */
export const SEAM_SECONDS = 1.2;

/** Cross-fades what exceeds `seconds` into the start, so that the sound loops without a click. */
export function seamless(sound: Stereo, seconds: number): Stereo {
  const length = toSamples(seconds);
  const fold = (channel: Float32Array): Float32Array => {
    const out = channel.slice(0, length);
    const extra = Math.min(channel.length - length, length);
    for (let i = 0; i < extra; i++) {
      const blend = i / extra;
      out[i] = out[i]! * Math.sqrt(blend) + channel[length + i]! * Math.sqrt(1 - blend);
    }
    return out;
  };
  return { left: fold(sound.left), right: fold(sound.right) };
}

/** Scatters many small sounds over a stereo buffer; `make` returns a new one each time. */
export function scatter(
  target: Stereo,
  random: Random,
  perSecond: number,
  make: () => Float32Array,
  gain: (seconds: number) => number = () => 1,
): Stereo {
  const seconds = target.left.length / SAMPLE_RATE;
  const count = Math.round(seconds * perSecond);
  for (let n = 0; n < count; n++) {
    const at = random() * seconds;
    addPanned(target, make(), at, gain(at) * (0.3 + 0.7 * random()), random() * 1.8 - 0.9);
  }
  return target;
}

/** [beat, MIDI, beats] notes on one instrument. */
export function phrase(
  name: InstrumentName,
  bpm: number,
  notes: readonly (readonly [beat: number, midi: number, beats: number])[],
  random: Random,
): Float32Array {
  const beat = 60 / bpm;
  const rendered = notes.map(([at, midi, beats]) => ({
    at: at * beat,
    sound: instruments[name](midiToHertz(midi), beats * beat, random),
  }));
  const out = new Float32Array(Math.max(...rendered.map(({ at, sound }) => toSamples(at) + sound.length)));
  for (const { at, sound } of rendered) addAt(out, sound, at);
  return out;
}

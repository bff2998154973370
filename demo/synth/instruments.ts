import type { Random } from '../random.ts';
import { addAt, layer, SAMPLE_RATE, scale, silence } from './audio.ts';
import { decay, gateEnvelope, line, shape } from './envelopes.ts';
import { filter } from './filters.ts';
import { pulse, saw, sine, tone, triangle, whiteNoise } from './oscillators.ts';
import { pluck, type Pluck } from './plucked.ts';
import { modes } from './struck.ts';

/** Renders one note, mono. `gate` is how long the key is held, in seconds, without the tail. */
type Instrument = (hertz: number, gate: number, random: Random) => Float32Array;

/** Higher strings and bars ring shorter. */
function ring(hertz: number, seconds: number): number {
  return seconds * (262 / hertz) ** 0.45;
}

/** Damps a ringing note after its key is released; `release` in seconds. */
function letGo(buffer: Float32Array, gate: number, release: number): Float32Array {
  const end = (gate + release) * SAMPLE_RATE;
  const from = Math.min(buffer.length, gate * SAMPLE_RATE);
  for (let i = Math.floor(from); i < buffer.length; i++) {
    const left = Math.max(0, 1 - (i - from) / (end - from));
    buffer[i]! *= left * left;
  }
  return buffer.subarray(0, Math.min(buffer.length, Math.ceil(end)));
}

function detunedSaws(
  hertz: number,
  seconds: number,
  cents: readonly number[],
  vibrato: number,
): Float32Array {
  const out = silence(seconds);
  cents.forEach((cent, index) => {
    const step = (hertz * 2 ** (cent / 1200)) / SAMPLE_RATE;
    let phase = (index * 0.381) % 1;
    for (let i = 0; i < out.length; i++) {
      out[i]! += saw(phase, step);
      phase += step * (1 + vibrato * sine((i * 5.1) / SAMPLE_RATE + index * 0.3));
      if (phase >= 1) phase -= 1;
    }
  });
  return scale(out, 1 / cents.length);
}

const piano: Instrument = (hertz, gate, random) => {
  const partials = Array.from({ length: Math.min(9, Math.floor(7000 / hertz) + 1) }, (_, i) => {
    const n = i + 1;
    const stretch = Math.sqrt(1 + 0.0004 * n * n);
    return [n * stretch, 0.55 / n ** 1.35, ring(hertz, 1.5) / (1 + 0.3 * i)] as const;
  });
  const seconds = Math.min(gate + 0.35, ring(hertz, 6));
  const body = modes(hertz, seconds, [...partials, [1.0016, 0.25, ring(hertz, 2.4)]], 0.002);
  const hammer = decay(filter(whiteNoise(0.03, random), 'band', Math.min(hertz * 5, 3500), 1), 0.006);
  return letGo(addAt(body, hammer, 0, 0.12), gate, 0.3);
};

const electricPiano: Instrument = (hertz, gate) => {
  const out = silence(gate + 0.3);
  const step = hertz / SAMPLE_RATE;
  const bodyFall = Math.exp(-1 / (ring(hertz, 1.1) * SAMPLE_RATE));
  const tineFall = Math.exp(-1 / (0.09 * SAMPLE_RATE));
  let body = 0.7;
  let tine = 0.12;
  let index = 0.22;
  for (let i = 0; i < out.length; i++) {
    const phase = i * step;
    out[i] = body * sine(phase + index * sine(phase)) + tine * sine(phase * 7.02);
    body *= bodyFall;
    index = 0.03 + (index - 0.03) * bodyFall;
    tine *= tineFall;
  }
  return letGo(gateEnvelope(out, gate, 0.003, 9, 1), gate, 0.25);
};

/** A string that rings for `release` seconds after its key is released. */
const plucked = (how: Pluck, release: number): Instrument =>
  function string(hertz, gate, random) {
    return letGo(pluck(hertz, gate + release, random, how), gate, release);
  };
const guitar = plucked({ brightness: 0.62, sustain: 4, position: 0.18, damping: 0.7 }, 0.3);
const koto = plucked({ brightness: 0.85, sustain: 3.4, position: 0.1, damping: 0.55 }, 0.8);
const bassString = plucked({ brightness: 0.3, sustain: 3, position: 0.3, damping: 0.9 }, 0.12);
const pluckedBass: Instrument = (hertz, gate, random) => {
  const body = gateEnvelope(tone('sine', gate + 0.12, hertz), gate, 0.006, 0.5, 0.4);
  return layer(bassString(hertz, gate, random), scale(body, 0.6));
};

const synthBass: Instrument = (hertz, gate) => {
  const raw = detunedSaws(hertz, gate + 0.08, [0, 6], 0);
  filter(raw, 'low', (t) => 180 + hertz * 2 + 1500 * Math.exp(-t / 0.12), 1.3);
  return gateEnvelope(layer(raw, scale(tone('sine', gate + 0.08, hertz), 0.5)), gate, 0.004, 0.4, 0.6);
};
const softBass: Instrument = (hertz, gate) =>
  gateEnvelope(
    layer(tone('sine', gate + 0.1, hertz), scale(tone('triangle', gate + 0.1, hertz), 0.25)),
    gate,
    0.012,
    0.8,
    0.6,
  );

const pad: Instrument = (hertz, gate) => {
  const raw = detunedSaws(hertz, gate + 1.1, [-9, 0, 8], 0.0006);
  filter(raw, 'low', (t) => 500 + hertz * 1.2 + 500 * sine(t * 0.13), 0.8);
  return gateEnvelope(raw, gate, 0.55, 2, 0.85);
};
const strings: Instrument = (hertz, gate) => {
  const raw = filter(detunedSaws(hertz, gate + 0.5, [-7, 1, 9], 0.0022), 'low', 1500 + hertz * 2, 0.7);
  return gateEnvelope(raw, gate, 0.12, 1, 0.85);
};
const shortStrings: Instrument = (hertz, gate) => {
  const held = Math.min(gate, 0.2);
  const raw = filter(detunedSaws(hertz, held + 0.2, [-6, 7], 0), 'low', 2200 + hertz * 2, 0.7);
  return gateEnvelope(raw, held, 0.012, 0.09, 0.5);
};
const brass: Instrument = (hertz, gate) => {
  const raw = detunedSaws(hertz, gate + 0.14, [-5, 4], 0.001);
  filter(
    raw,
    'low',
    (t) => hertz * (1.5 + 5 * Math.min(1, t / 0.07) * (0.45 + 0.55 * Math.exp(-t / 0.25))),
    0.9,
  );
  return gateEnvelope(raw, gate, 0.03, 0.3, 0.75);
};

const lead: Instrument = (hertz, gate) => {
  const raw = detunedSaws(hertz, gate + 0.15, [-4, 5], 0.003);
  filter(raw, 'low', (t) => 900 + hertz * 1.5 + 2200 * Math.exp(-t / 0.3), 1.1);
  return gateEnvelope(raw, gate, 0.012, 0.5, 0.75);
};
const flute: Instrument = (hertz, gate, random) => {
  const seconds = gate + 0.14;
  const vibrato = (t: number) => hertz * (1 + 0.004 * Math.min(1, t / 0.4) * sine(t * 5));
  const body = layer(tone('sine', seconds, vibrato), scale(tone('triangle', seconds, vibrato), 0.3));
  const breath = scale(filter(whiteNoise(seconds, random), 'band', hertz * 2, 2), 0.09);
  return gateEnvelope(layer(scale(body, 0.52), scale(breath, 0.8)), gate, 0.05, 0.6, 0.85);
};
/** Slides up into the note, with a late vibrato, like a bamboo flute. */
const shakuhachi: Instrument = (hertz, gate, random) => {
  const seconds = gate + 0.22;
  const bend = line([0, 0.955], [0.11, 1.004], [0.2, 1]);
  const pitch = (t: number) =>
    hertz * bend(t) * (1 + 0.009 * Math.min(1, Math.max(0, t - 0.3) * 2) * sine(t * 4.6));
  const body = layer(
    tone('sine', seconds, pitch),
    scale(
      tone('sine', seconds, (t) => pitch(t) * 2),
      0.22,
    ),
  );
  const breath = filter(whiteNoise(seconds, random), 'band', hertz * 1.6, 1.4);
  shape(breath, (t) => 0.1 + 0.4 * Math.exp(-t / 0.05));
  return gateEnvelope(layer(scale(body, 0.54), scale(breath, 0.45)), gate, 0.05, 0.9, 0.8);
};

const bars = (list: readonly (readonly [number, number, number])[], seconds: number): Instrument =>
  function bar(hertz) {
    const tail = ring(hertz, seconds);
    return modes(
      hertz,
      Math.min(4, tail * 4),
      list.map(([ratio, level, part]) => [ratio, level, tail * part] as const),
    );
  };
// prettier-ignore
const bell = bars([[1, 0.5, 1], [2.76, 0.22, 0.6], [5.4, 0.12, 0.35], [0.5, 0.12, 1.2], [8.9, 0.05, 0.2]], 1.1);
// prettier-ignore
const musicBox = bars([[1, 0.6, 1], [2.01, 0.1, 0.5], [5.95, 0.16, 0.2], [11.2, 0.06, 0.08]], 0.75);
// prettier-ignore
const glockenspiel = bars([[1, 0.5, 1], [2.76, 0.16, 0.35], [5.4, 0.1, 0.14]], 0.8);
// prettier-ignore
const vibraphone = bars([[1, 0.6, 1], [4, 0.14, 0.3], [10.1, 0.04, 0.08]], 1.0);
// prettier-ignore
const marimba = bars([[1, 0.7, 1], [3.93, 0.22, 0.25], [9.5, 0.08, 0.1]], 0.2);

const chip = (width: number, sustain: number): Instrument =>
  function chipPulse(hertz, gate) {
    const out = silence(gate + 0.02);
    const step = hertz / SAMPLE_RATE;
    for (let i = 0; i < out.length; i++) {
      const t = i / SAMPLE_RATE;
      const wobble = t > 0.18 ? 0.006 * sine(t * 6) * (0.18 / hertz) * hertz : 0;
      out[i] = pulse((i * step + wobble) % 1, step, width) * 0.5;
    }
    return gateEnvelope(out, gate, 0.002, 0.16, sustain);
  };
const chipTriangle: Instrument = (hertz, gate) => {
  const out = silence(gate + 0.02);
  // Sixteen steps, like the sound chips of the time.
  for (let i = 0; i < out.length; i++) out[i] = Math.round(triangle((i * hertz) / SAMPLE_RATE) * 7.5) / 7.5;
  return gateEnvelope(out, gate, 0.002, 1, 0.9);
};

export const instruments = {
  piano,
  electricPiano,
  guitar,
  koto,
  pluckedBass,
  synthBass,
  softBass,
  pad,
  strings,
  shortStrings,
  brass,
  lead,
  flute,
  shakuhachi,
  bell,
  musicBox,
  glockenspiel,
  vibraphone,
  marimba,
  chipLead: chip(0.25, 0.55),
  chipEcho: chip(0.125, 0.35),
  chipTriangle,
} satisfies Record<string, Instrument>;

export type InstrumentName = keyof typeof instruments;

import { addAt, layer, scale, silence, type Stereo } from '../synth/audio.ts';
import { fadeEnds, gateEnvelope, line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { brownNoise, pinkNoise, tone, whiteNoise } from '../synth/oscillators.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, sequence, twoSides, wander } from './blocks.ts';

/** Firing strokes heard through an exhaust; `rate` in strokes a second. */
function motor(seconds: number, rate: (t: number) => number, random: () => number): Float32Array {
  const strokes = tone('saw', seconds, rate);
  const grit = shape(
    filter(pinkNoise(seconds, random), 'band', 700, 0.8),
    (t) => 0.3 + 0.3 * Math.sin(2 * Math.PI * rate(0) * t),
  );
  const pipe = filter(layer(strokes, grit), 'low', (t) => 220 + rate(t) * 9, 1.4);
  return layer(
    pipe,
    scale(
      tone('sine', seconds, (t) => rate(t) * 0.5),
      0.4,
    ),
  );
}

const engineIdle: Effect = ({ seconds, pitch, random }) => {
  const uneven = wander(random, seconds, 8, 0.96, 1.04);
  const starting = line([0, 16], [0.7, 17], [0.9, 62], [1.8, 34], [2.4, 31]);
  return fadeEnds(
    motor(seconds, (t) => starting(t) * uneven(t) * pitch, random),
    0.004,
    0.4,
  );
};

const motorbike: Effect = ({ seconds, pitch, random }) => {
  const gears = line([0, 40], [0.9, 118], [1, 74], [2.1, 150], [2.2, 98], [seconds, 190]);
  const sound = motor(seconds, (t) => gears(t) * pitch, random);
  return shape(
    filter(sound, 'low', line([0, 5000], [seconds, 700])),
    line([0, 0.6], [0.5, 1], [1.5, 0.9], [seconds, 0]),
  );
};

const carPass: Effect = ({ seconds, random }) => {
  const middle = seconds * 0.45;
  const near = (t: number) => 1 / (1 + ((t - middle) / 0.55) ** 2);
  const doppler = line([0, 1.09], [middle - 0.4, 1.08], [middle + 0.4, 0.92], [seconds, 0.91]);
  const tyres = filter(pinkNoise(seconds, random), 'band', (t) => 500 + 1500 * near(t), 0.6);
  const engine = scale(
    motor(seconds, (t) => 58 * doppler(t), random),
    0.45,
  );
  const mono = fadeEnds(
    shape(layer(tyres, engine), (t) => 0.06 + near(t)),
    0.01,
    0.3,
  );
  const side = (sign: number) =>
    shape(mono.slice(), (t) => 0.5 + 0.45 * sign * Math.tanh((middle - t) * 1.6));
  return { left: side(1), right: side(-1) } satisfies Stereo;
};

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

const mobileRing: Effect = ({ seconds, pitch }) => {
  const notes = [76, 79, 84, 83, 79, 76, 79, 72];
  const parts = Array.from(
    { length: Math.floor(seconds / 0.15) - 1 },
    (_, i): [number, Float32Array, number] => {
      const hertz = 440 * 2 ** (((notes[i % notes.length] ?? 76) - 69) / 12) * pitch;
      // prettier-ignore
      return [i * 0.15, modes(hertz, 0.5, [[1, 0.5, 0.12], [2, 0.22, 0.07], [3, 0.1, 0.04]]), i % 4 === 0 ? 1 : 0.8];
    },
  );
  return sequence(seconds, ...parts);
};

const alarm: Effect = ({ seconds, pitch }) =>
  fadeEnds(
    filter(
      tone('square', seconds, (t) => (t % 0.7 < 0.35 ? 880 : 660) * pitch),
      'low',
      3200,
    ),
    0.004,
    0.15,
  );

const siren: Effect = ({ seconds, pitch }) =>
  fadeEnds(
    filter(
      tone('saw', seconds, (t) => pitch * (640 - 240 * Math.cos((2 * Math.PI * t) / 2.6))),
      'low',
      2300,
      0.9,
    ),
    0.004,
    0.4,
  );

const robot: Effect = ({ seconds, random }) => {
  const out = silence(seconds);
  for (let at = 0; at < seconds - 0.1;) {
    const length = 0.05 + 0.11 * random();
    const from = 280 + 1500 * random();
    const to = from * (0.5 + 1.3 * random());
    const chirp = tone(
      random() < 0.5 ? 'square' : 'triangle',
      length,
      (t) => from + ((to - from) * t) / length,
    );
    addAt(out, fadeEnds(chirp, 0.004, 0.012), at, 0.6);
    at += length + (random() < 0.2 ? 0.1 : 0.01);
  }
  return filter(out, 'low', 5200);
};

const servo: Effect = ({ seconds, pitch, random }) => {
  const speed = line([0, 180], [seconds * 0.25, 420], [seconds * 0.75, 430], [seconds, 120]);
  const whine = filter(
    layer(
      tone('saw', seconds, (t) => speed(t) * pitch),
      scale(
        tone('square', seconds, (t) => speed(t) * 3.02 * pitch),
        0.3,
      ),
    ),
    'band',
    1500,
    0.9,
  );
  const gears = scale(filter(whiteNoise(seconds, random), 'band', 2800, 2), 0.12);
  return sequence(
    seconds,
    [0, fadeEnds(layer(whine, gears), 0.02, 0.06)],
    [seconds - 0.14, burst(random, 0.012, 'band', 1300, 1.4), 0.9],
  );
};

const printer: Effect = ({ seconds, random }) => {
  const parts: [number, Float32Array, number][] = [];
  for (let row = 0; row * 0.55 < seconds - 0.5; row++) {
    for (let n = 0; n < 18; n++)
      if (random() < 0.8) parts.push([row * 0.55 + n * 0.022, burst(random, 0.004, 'band', 2300, 3), 0.8]);
    parts.push([row * 0.55 + 0.42, gateEnvelope(tone('saw', 0.1, 190), 0.08, 0.005, 1, 1), 0.12]);
  }
  return sequence(seconds, ...parts);
};

const computerHum: Effect = ({ seconds, random }) => {
  const hum = layer(...[1, 2, 3, 5].map((n) => scale(tone('sine', seconds, 58.5 * n), 0.3 / n)));
  const fan = filter(pinkNoise(seconds, random), 'band', 620, 0.7);
  const blips = Array.from({ length: Math.floor(seconds / 1.7) }, (_, i): [number, Float32Array, number] => [
    i * 1.7 + 0.3,
    blip(1900 + 300 * (i % 3), 1900 + 300 * (i % 3), 1, 0.03),
    0.09,
  ]);
  return sequence(seconds, [0, fadeEnds(layer(hum, scale(fan, 0.4)), 0.01, 0.05)], ...blips);
};

const explosion: Effect = ({ seconds, pitch, random }) => {
  const fire = shape(
    filter(whiteNoise(seconds, random), 'low', line([0, 6500], [0.15, 1900], [seconds, 120])),
    (t) => Math.exp(-t / (seconds * 0.22)) * 1.2,
  );
  const debris = Array.from({ length: 30 }, (): [number, Float32Array, number] => [
    0.25 + random() * seconds * 0.5,
    burst(random, 0.01, 'band', 600 + 2600 * random(), 1.5),
    0.12 * random(),
  ]);
  const low = blip(115 * pitch, 30, 0.18, 0.4);
  return inRoom(sequence(seconds, [0, layer(fire, scale(low, 1.3))], ...debris), seconds, {
    decaySeconds: 2.2,
    damping: 0.6,
    wet: 0.25,
  });
};

export const machines = {
  engineIdle,
  motorbike,
  carPass,
  trainPass,
  crossing,
  phoneRing,
  mobileRing,
  alarm,
  siren,
  robot,
  servo,
  printer,
  computerHum,
  explosion,
} satisfies Record<string, Effect>;

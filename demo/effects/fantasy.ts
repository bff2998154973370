import { addPanned, layer, scale, stereoSilence } from '../synth/audio.ts';
import { decay, fadeEnds, line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { pinkNoise, tone, whiteNoise } from '../synth/oscillators.ts';
import { addReverb, echo } from '../synth/space.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, sequence, wander } from './blocks.ts';

const hall = { decaySeconds: 2.2, damping: 0.3, wet: 0.32 };

const swordSwing: Effect = ({ seconds, pitch, random }) =>
  layer(
    shape(
      filter(
        whiteNoise(seconds, random),
        'band',
        line([0, 900 * pitch], [0.12, 4200 * pitch], [seconds, 900]),
        2,
      ),
      line([0, 0.1], [0.11, 1], [seconds * 0.8, 0]),
    ),
    shape(filter(pinkNoise(seconds, random), 'band', 500, 1), line([0, 0], [0.12, 0.5], [seconds * 0.6, 0])),
  );

const swordClash: Effect = ({ seconds, pitch, random }) => {
  // prettier-ignore
  const steel = [[1, 0.4, 0.35], [1.34, 0.35, 0.3], [1.83, 0.3, 0.22], [2.41, 0.3, 0.18], [3.17, 0.25, 0.12], [4.6, 0.2, 0.07]] as const;
  return inRoom(
    sequence(seconds, [0, modes(1530 * pitch, 2, steel)], [0, burst(random, 0.012, 'high', 3500), 0.9]),
    seconds,
    { decaySeconds: 1.1, damping: 0.3, wet: 0.18 },
  );
};

const swordDraw: Effect = ({ seconds, random }) => {
  const scrape = shape(
    filter(whiteNoise(seconds, random), 'band', line([0, 2600], [0.45, 6800]), 6),
    line([0, 0.2], [0.4, 1], [0.47, 0]),
  );
  // prettier-ignore
  const ring = modes(2650, 1.4, [[1, 0.3, 0.3], [1.5, 0.22, 0.24], [2.26, 0.16, 0.15]]);
  return inRoom(sequence(seconds, [0, scrape, 1.2], [0.4, ring]), seconds, {
    decaySeconds: 1,
    damping: 0.3,
    wet: 0.16,
  });
};

const punch: Effect = ({ seconds, pitch, random }) =>
  sequence(
    seconds,
    [0, blip(210 * pitch, 62, 0.02, 0.06), 1.2],
    [0, burst(random, 0.03, 'band', 1100, 0.7), 1.1],
    [0.012, burst(random, 0.05, 'low', 420), 0.8],
  );

/** Rising sparkle; the basis of spells. */
function sparkle(seconds: number, random: () => number, low: number, high: number, perSecond: number) {
  const out = stereoSilence(seconds);
  const count = Math.round(seconds * 0.7 * perSecond);
  for (let n = 0; n < count; n++) {
    const at = (n / count) * seconds * 0.7;
    const hertz = low * (high / low) ** (n / count) * (0.9 + 0.25 * random());
    // prettier-ignore
    addPanned(out, modes(hertz, 0.5, [[1, 0.4, 0.08], [2.76, 0.12, 0.04]]), at, 0.4 + 0.5 * random(), random() * 1.6 - 0.8);
  }
  return out;
}

const magicCast: Effect = ({ seconds, pitch, random }) => {
  const out = sparkle(seconds, random, 900 * pitch, 3800 * pitch, 26);
  const glow = shape(
    layer(
      tone('sine', seconds, line([0, 220 * pitch], [seconds * 0.6, 880 * pitch])),
      scale(tone('triangle', seconds, line([0, 331 * pitch], [seconds * 0.6, 1322 * pitch])), 0.5),
    ),
    line([0, 0.1], [seconds * 0.55, 0.5], [seconds * 0.65, 0.3], [seconds, 0]),
  );
  addPanned(out, glow, 0, 0.6, 0);
  addReverb(out, { left: out.left.slice(), right: out.right.slice() }, hall);
  return out;
};

const heal: Effect = ({ seconds, pitch, random }) => {
  const out = stereoSilence(seconds);
  [72, 76, 79, 84, 88, 91].forEach((midi, i) => {
    const hertz = 440 * 2 ** ((midi - 69) / 12) * pitch;
    // prettier-ignore
    addPanned(out, modes(hertz, 1.6, [[1, 0.5, 0.4], [2, 0.14, 0.2], [3.01, 0.06, 0.1]], 0.006), i * 0.11, 0.7, i % 2 === 0 ? -0.4 : 0.4);
  });
  const breath = shape(
    filter(whiteNoise(seconds, random), 'band', line([0, 2500], [seconds, 6500]), 1.5),
    line([0, 0], [0.5, 0.12], [seconds, 0]),
  );
  addPanned(out, breath, 0, 1, 0);
  addReverb(out, { left: out.left.slice(), right: out.right.slice() }, hall);
  return out;
};

const fireball: Effect = ({ seconds, random }) => {
  const roar = wander(random, seconds, 14, 0.5, 1);
  const fire = shape(
    filter(pinkNoise(seconds, random), 'band', line([0, 300], [0.5, 1500], [seconds, 240]), 0.6),
    (t) => roar(t) * line([0, 0.15], [0.5, 1], [seconds, 0])(t),
  );
  return inRoom(sequence(seconds, [0, fire, 1.4], [0.48, blip(130, 45, 0.08, 0.2)]), seconds, {
    decaySeconds: 1.3,
    damping: 0.6,
    wet: 0.2,
  });
};

const ice: Effect = ({ seconds, pitch, random }) => {
  const out = sparkle(seconds, random, 5200 * pitch, 1900 * pitch, 34);
  addPanned(out, burst(random, 0.05, 'high', 5000), 0, 0.5, 0);
  addReverb(
    out,
    { left: out.left.slice(), right: out.right.slice() },
    { decaySeconds: 1.8, damping: 0.05, wet: 0.35 },
  );
  return out;
};

const lightning: Effect = ({ seconds, random }) => {
  const jitter = wander(random, seconds, 45, 0.3, 1);
  const zap = shape(
    filter(
      layer(
        tone('saw', seconds, (t) => 90 + 700 * jitter(t)),
        scale(whiteNoise(seconds, random), 0.6),
      ),
      'high',
      700,
    ),
    (t) => jitter(t + 0.1) ** 3 * Math.exp(-t / (seconds * 0.28)),
  );
  return inRoom(sequence(seconds, [0, zap], [0, burst(random, 0.05, 'high', 2000), 0.9]), seconds, {
    decaySeconds: 1,
    damping: 0.4,
    wet: 0.15,
  });
};

const warp: Effect = ({ seconds, pitch }) => {
  const rise = (t: number) => 110 * pitch * 2 ** ((t / seconds) * 4.5);
  const body = layer(
    tone('sine', seconds, rise),
    scale(
      tone('triangle', seconds, (t) => rise(t) * 1.502),
      0.5,
    ),
    scale(
      tone('sine', seconds, (t) => rise(t) * 2.01),
      0.4,
    ),
  );
  shape(
    body,
    (t) =>
      (0.55 + 0.45 * Math.sin(2 * Math.PI * (6 + t * 9) * t)) *
      line([0, 0.25], [seconds * 0.7, 1], [seconds * 0.85, 0])(t),
  );
  const out = stereoSilence(seconds);
  addPanned(out, body, 0, 0.8, 0);
  echo(out, 0.11, 0.45, 0.4);
  return out;
};

const laser: Effect = ({ seconds, pitch }) =>
  sequence(
    seconds,
    [
      0,
      decay(
        filter(
          tone('saw', 0.5, (t) => 160 + 2700 * pitch * Math.exp(-t / 0.055)),
          'low',
          6500,
        ),
        0.1,
      ),
    ],
    [0, blip(3200 * pitch, 240, 0.05, 0.08), 0.7],
  );

const beamCharge: Effect = ({ seconds, pitch, random }) => {
  const rise = line([0, 90 * pitch], [seconds * 0.7, 760 * pitch], [seconds, 800 * pitch]);
  const hum = filter(
    layer(
      tone('saw', seconds, rise),
      tone('saw', seconds, (t) => rise(t) * 1.007),
    ),
    'low',
    (t) => 300 + rise(t) * 5,
    2,
  );
  shape(hum, line([0, 0.12], [seconds * 0.7, 0.9], [seconds * 0.72, 0.25], [seconds, 0]));
  const shot = layer(blip(900, 70, 0.15, 0.22), scale(burst(random, 0.18, 'low', 3800), 0.8));
  return sequence(seconds, [0, hum, 0.5], [seconds * 0.7, shot]);
};

const coin: Effect = ({ seconds, pitch }) => {
  const note = (hertz: number, length: number, tau: number) =>
    decay(tone('square', length, hertz * pitch), tau, 0.001);
  return filter(sequence(seconds, [0, note(988, 0.075, 1)], [0.075, note(1319, 0.6, 0.16)]), 'low', 7500);
};

const levelUp: Effect = ({ seconds, pitch }) => {
  const notes = [67, 71, 74, 79, 74, 79, 83, 86];
  const parts = notes.map((midi, i): [number, Float32Array, number] => {
    const last = i === notes.length - 1;
    const hertz = 440 * 2 ** ((midi - 69) / 12) * pitch;
    return [
      i * 0.085,
      decay(
        layer(
          tone('square', last ? 0.9 : 0.14, hertz),
          scale(tone('square', last ? 0.9 : 0.14, hertz / 2), 0.5),
        ),
        last ? 0.3 : 0.09,
      ),
      0.5,
    ];
  });
  return filter(sequence(seconds, ...parts), 'low', 6500);
};

const jump: Effect = ({ seconds, pitch }) =>
  fadeEnds(
    filter(
      decay(tone('square', seconds, line([0, 260 * pitch], [seconds, 1150 * pitch])), 0.16),
      'low',
      5200,
    ),
    0.002,
    0.05,
  );

const powerDown: Effect = ({ seconds, pitch }) =>
  fadeEnds(
    filter(
      tone('square', seconds, (t) => 620 * pitch * 2 ** (-t * 2.6) * (1 + 0.06 * Math.sin(t * 75))),
      'low',
      3800,
    ),
    0.002,
    0.25,
  );

const ghost: Effect = ({ seconds, pitch, random }) => {
  const drift = wander(random, seconds, 1.6, 0.88, 1.14);
  const voice = layer(
    tone('sine', seconds, (t) => 410 * pitch * drift(t)),
    scale(
      tone('sine', seconds, (t) => 414 * pitch * drift(t + 0.4)),
      0.8,
    ),
  );
  return inRoom(shape(voice, line([0, 0.08], [seconds * 0.4, 0.8], [seconds, 0])), seconds, {
    decaySeconds: 4,
    damping: 0.4,
    wet: 0.6,
  });
};

export const fantasy = {
  swordSwing,
  swordClash,
  swordDraw,
  punch,
  magicCast,
  heal,
  fireball,
  ice,
  lightning,
  warp,
  laser,
  beamCharge,
  coin,
  levelUp,
  jump,
  powerDown,
  ghost,
} satisfies Record<string, Effect>;

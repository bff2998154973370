import { addPanned, layer, scale, stereoSilence } from '../synth/audio.ts';
import { decay, fadeEnds, line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { tone, whiteNoise } from '../synth/oscillators.ts';
import { addReverb } from '../synth/space.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, sequence, wander } from './blocks.ts';

const hall = { decaySeconds: 2.2, damping: 0.3, wet: 0.32 };

const swordClash: Effect = ({ seconds, pitch, random }) => {
  // prettier-ignore
  const steel = [[1, 0.4, 0.35], [1.34, 0.35, 0.3], [1.83, 0.3, 0.22], [2.41, 0.3, 0.18], [3.17, 0.25, 0.12], [4.6, 0.2, 0.07]] as const;
  return inRoom(
    sequence(seconds, [0, modes(1530 * pitch, 2, steel)], [0, burst(random, 0.012, 'high', 3500), 0.9]),
    seconds,
    { decaySeconds: 1.1, damping: 0.3, wet: 0.18 },
  );
};

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

export const fantasy = {
  swordClash,
  magicCast,
  heal,
  coin,
  levelUp,
  jump,
  ghost,
  explosion,
} satisfies Record<string, Effect>;

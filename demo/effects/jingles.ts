import { layer, scale } from '../synth/audio.ts';
import { drums } from '../synth/drums.ts';
import { type Effect, inRoom, phrase, sequence } from './blocks.ts';

const stage = { decaySeconds: 1.3, damping: 0.4, wet: 0.22 };

const drumRoll: Effect = ({ seconds, random }) => {
  const end = seconds - 1.1;
  const parts: [number, Float32Array, number][] = [];
  for (let at = 0, n = 0; at < end; at += 0.052, n++)
    parts.push([at, drums.snare(random), 0.25 + 0.5 * (at / end) + (n % 2) * 0.05]);
  return inRoom(
    sequence(seconds, ...parts, [end + 0.04, layer(drums.crash(random), drums.kick(random)), 1.2]),
    seconds,
    stage,
  );
};

const taikoHit: Effect = ({ seconds, random }) =>
  inRoom(drums.taiko(random), seconds, { decaySeconds: 1.8, damping: 0.5, wet: 0.3 });

const taikoRoll: Effect = ({ seconds, random }) => {
  const parts: [number, Float32Array, number][] = [];
  let gap = 0.5;
  for (let at = 0; at < seconds - 1; at += gap, gap = Math.max(0.085, gap * 0.86))
    parts.push([at, drums.taiko(random), 0.5 + 0.5 * random()]);
  return inRoom(sequence(seconds, ...parts), seconds, { decaySeconds: 1.8, damping: 0.5, wet: 0.25 });
};

// prettier-ignore
const fanfare: Effect = ({ seconds, random }) => {
  const top = phrase('brass', 150, [[0, 67, 0.3], [0.33, 67, 0.3], [0.66, 67, 0.3], [1, 72, 1.4], [2.5, 70, 0.45], [3, 72, 0.9], [4, 76, 2.2]], random);
  const low = phrase('brass', 150, [[0, 60, 0.9], [1, 64, 1.4], [1, 55, 1.4], [2.5, 65, 0.45], [3, 64, 0.9], [4, 67, 2.2], [4, 60, 2.2], [4, 48, 2.2]], random);
  return inRoom(sequence(seconds, [0, layer(scale(top, 0.5), scale(low, 0.32))], [1.6, drums.crash(random), 0.4]), seconds, stage);
};

const kotoRun: Effect = ({ seconds, random }) => {
  const run = [88, 84, 83, 81, 77, 76, 72, 71, 69, 65, 64].map((midi, i) => [i * 0.5, midi, 5] as const);
  return inRoom(phrase('koto', 300, run, random), seconds, { decaySeconds: 2, damping: 0.3, wet: 0.28 });
};

// prettier-ignore
const schoolChime: Effect = ({ seconds, random }) => {
  const tune = phrase('bell', 66, [[0, 69, 1], [1, 65, 1], [2, 67, 1], [3, 60, 2], [5, 60, 1], [6, 67, 1], [7, 69, 1], [8, 65, 2]], random);
  return inRoom(sequence(seconds, [0, tune]), seconds, { decaySeconds: 2.6, damping: 0.5, wet: 0.3 });
};

// prettier-ignore
const logoSound: Effect = ({ seconds, random }) => {
  const chime = phrase('electricPiano', 150, [[0, 67, 3], [0.5, 74, 3], [1, 79, 3], [1.5, 83, 3]], random);
  const air = phrase('pad', 150, [[0, 55, 3], [0, 62, 3]], random);
  return inRoom(sequence(seconds, [0, layer(scale(chime, 0.5), scale(air, 0.3))]), seconds, { decaySeconds: 2.2, damping: 0.3, wet: 0.3 });
};

export const jingles = {
  drumRoll,
  taikoHit,
  taikoRoll,
  fanfare,
  kotoRun,
  schoolChime,
  logoSound,
} satisfies Record<string, Effect>;

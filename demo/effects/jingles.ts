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

const clappers: Effect = ({ seconds, random }) => {
  const hit = layer(drums.woodBlock(), scale(drums.taikoRim(random), 0.8));
  return inRoom(sequence(seconds, [0, hit], [0.55, hit.slice(), 1.1]), seconds, {
    decaySeconds: 1.4,
    damping: 0.3,
    wet: 0.3,
  });
};

// prettier-ignore
const fanfare: Effect = ({ seconds, random }) => {
  const top = phrase('brass', 150, [[0, 67, 0.3], [0.33, 67, 0.3], [0.66, 67, 0.3], [1, 72, 1.4], [2.5, 70, 0.45], [3, 72, 0.9], [4, 76, 2.2]], random);
  const low = phrase('brass', 150, [[0, 60, 0.9], [1, 64, 1.4], [1, 55, 1.4], [2.5, 65, 0.45], [3, 64, 0.9], [4, 67, 2.2], [4, 60, 2.2], [4, 48, 2.2]], random);
  return inRoom(sequence(seconds, [0, layer(scale(top, 0.5), scale(low, 0.32))], [1.6, drums.crash(random), 0.4]), seconds, stage);
};

// prettier-ignore
const gameOver: Effect = ({ seconds, random }) => {
  const lead = phrase('chipLead', 132, [[0, 72, 0.5], [0.75, 67, 0.5], [1.5, 64, 0.5], [2.25, 69, 0.33], [2.6, 71, 0.33], [2.95, 69, 0.33], [3.3, 68, 0.9], [4.2, 70, 0.6], [4.8, 68, 0.6], [5.4, 67, 1.6]], random);
  const bass = phrase('chipTriangle', 132, [[0, 48, 0.7], [0.75, 43, 0.7], [1.5, 40, 0.7], [2.25, 41, 1], [3.3, 44, 0.9], [4.2, 46, 0.6], [4.8, 44, 0.6], [5.4, 48, 1.6]], random);
  return inRoom(sequence(seconds, [0, layer(scale(lead, 0.6), scale(bass, 0.5))]), seconds, { decaySeconds: 0.5, damping: 0.5, wet: 0.08 });
};

// prettier-ignore
const stageClear: Effect = ({ seconds, random }) => {
  const bells = phrase('glockenspiel', 168, [[0, 76, 0.5], [0.5, 79, 0.5], [1, 84, 0.5], [1.5, 83, 0.5], [2, 86, 0.5], [2.5, 88, 2]], random);
  const chords = phrase('piano', 168, [[0, 60, 1], [0, 64, 1], [1, 65, 1], [1, 69, 1], [2, 67, 0.5], [2, 71, 0.5], [2.5, 60, 3], [2.5, 67, 3], [2.5, 76, 3]], random);
  return inRoom(sequence(seconds, [0, layer(scale(bells, 0.6), scale(chords, 0.4))]), seconds, stage);
};

// prettier-ignore
const titleCall: Effect = ({ seconds, random }) => {
  const harp = phrase('harp', 480, [55, 60, 62, 64, 67, 72, 74, 76, 79, 84].map((midi, i) => [i, midi, 4] as const), random);
  const strings = phrase('strings', 120, [[2.4, 60, 3], [2.4, 67, 3], [2.4, 76, 3]], random);
  return inRoom(sequence(seconds, [0, layer(scale(harp, 0.6), scale(strings, 0.3))]), seconds, { decaySeconds: 2, damping: 0.3, wet: 0.3 });
};

const kotoRun: Effect = ({ seconds, random }) => {
  const run = [88, 84, 83, 81, 77, 76, 72, 71, 69, 65, 64].map((midi, i) => [i * 0.5, midi, 5] as const);
  return inRoom(phrase('koto', 300, run, random), seconds, { decaySeconds: 2, damping: 0.3, wet: 0.28 });
};

// prettier-ignore
const stationBell: Effect = ({ seconds, random }) => {
  const tune = phrase('vibraphone', 116, [[0, 76, 0.5], [0.5, 79, 0.5], [1, 84, 1], [2, 81, 0.5], [2.5, 79, 0.5], [3, 76, 1], [4, 77, 0.5], [4.5, 79, 0.5], [5, 81, 0.5], [5.5, 74, 0.5], [6, 72, 3]], random);
  return inRoom(sequence(seconds, [0, tune]), seconds, { decaySeconds: 1.6, damping: 0.4, wet: 0.25 });
};

// prettier-ignore
const schoolChime: Effect = ({ seconds, random }) => {
  const tune = phrase('bell', 66, [[0, 69, 1], [1, 65, 1], [2, 67, 1], [3, 60, 2], [5, 60, 1], [6, 67, 1], [7, 69, 1], [8, 65, 2]], random);
  return inRoom(sequence(seconds, [0, tune]), seconds, { decaySeconds: 2.6, damping: 0.5, wet: 0.3 });
};

// prettier-ignore
const surprise: Effect = ({ seconds, random }) => {
  const stab = phrase('brass', 120, [[0, 52, 1.2], [0, 58, 1.2], [0, 64, 1.2], [0, 70, 1.2]], random);
  return inRoom(sequence(seconds, [0, scale(stab, 0.4)], [0, drums.lowTom()], [0, drums.crash(random), 0.6]), seconds, stage);
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
  clappers,
  fanfare,
  gameOver,
  stageClear,
  titleCall,
  kotoRun,
  stationBell,
  schoolChime,
  surprise,
  logoSound,
} satisfies Record<string, Effect>;

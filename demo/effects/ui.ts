import { layer, scale } from '../synth/audio.ts';
import { decay, fadeEnds, gateEnvelope, line, shape } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { tone, whiteNoise } from '../synth/oscillators.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, phrase, sequence } from './blocks.ts';

const click: Effect = ({ seconds, pitch, random }) =>
  sequence(
    seconds,
    [0, blip(2600 * pitch, 1300 * pitch, 0.004, 0.009)],
    [0, burst(random, 0.003, 'high', 3000), 0.5],
  );

const softClick: Effect = ({ seconds, pitch, random }) =>
  sequence(
    seconds,
    [0, blip(900 * pitch, 420 * pitch, 0.008, 0.018)],
    [0.07, blip(700 * pitch, 520 * pitch, 0.006, 0.012), 0.5],
    [0, burst(random, 0.004, 'band', 2400), 0.25],
  );

const confirm: Effect = ({ seconds, pitch }) => {
  // prettier-ignore
  const note = (hertz: number, tau: number) => modes(hertz * pitch, tau * 6, [[1, 0.7, tau], [2, 0.2, tau / 2], [3, 0.08, tau / 4]]);
  return sequence(seconds, [0, note(988, 0.07)], [0.085, note(1319, 0.16)]);
};

const chimeConfirm: Effect = ({ seconds, pitch, random }) => {
  // prettier-ignore
  const sound = phrase('glockenspiel', 480, [[0, 79, 1], [1, 84, 1], [2, 88, 3]], random);
  return inRoom(filter(scale(sound, 1), 'high', 200 * pitch), seconds, {
    decaySeconds: 1,
    damping: 0.2,
    wet: 0.2,
  });
};

const cancel: Effect = ({ seconds, pitch }) => {
  const note = (hertz: number, tau: number) => decay(tone('triangle', tau * 6, hertz * pitch), tau, 0.003);
  return sequence(seconds, [0, note(620, 0.06)], [0.09, note(415, 0.11)]);
};

const cursor: Effect = ({ seconds, pitch }) =>
  sequence(seconds, [0, decay(filter(tone('square', 0.12, 1480 * pitch), 'low', 4200), 0.022, 0.001)]);

const menuOpen: Effect = ({ seconds, random }) => {
  // prettier-ignore
  const air = shape(filter(whiteNoise(0.3, random), 'band', line([0, 700], [0.25, 5200]), 1.4), line([0, 0], [0.12, 1], [0.3, 0]));
  return sequence(seconds, [0, air, 0.5], [0, blip(420, 940, 0.09, 0.07, 0.01)]);
};

const notification: Effect = ({ seconds, pitch }) => {
  // prettier-ignore
  const bell = (hertz: number) => modes(hertz * pitch, 1.4, [[1, 0.6, 0.3], [2.76, 0.16, 0.12], [5.4, 0.06, 0.05]]);
  return inRoom(sequence(1.6, [0, bell(1175)], [0.14, bell(1568)]), seconds, {
    decaySeconds: 0.9,
    damping: 0.3,
    wet: 0.15,
  });
};

const popUp: Effect = ({ seconds, pitch }) =>
  sequence(seconds, [0, blip(260 * pitch, 980 * pitch, 0.045, 0.05, 0.002)]);

const errorBeep: Effect = ({ seconds, pitch }) => {
  const beep = fadeEnds(filter(tone('square', 0.13, 233 * pitch), 'low', 2400), 0.004, 0.02);
  return sequence(seconds, [0, beep, 0.8], [0.18, beep.slice(), 0.8]);
};

const correct: Effect = ({ seconds, pitch }) => {
  // prettier-ignore
  const ping = (hertz: number, tau: number) => modes(hertz * pitch, tau * 5, [[1, 0.7, tau], [2, 0.18, tau / 2], [4.1, 0.08, tau / 5]]);
  return sequence(
    seconds,
    [0, ping(1047, 0.12)],
    [0.13, ping(1568, 0.12)],
    [0.26, ping(1047, 0.12)],
    [0.39, ping(1568, 0.34)],
  );
};

const wrong: Effect = ({ seconds, pitch }) => {
  const buzz = (length: number) =>
    fadeEnds(
      filter(layer(tone('saw', length, 116 * pitch), tone('square', length, 118.6 * pitch)), 'low', 2600),
      0.005,
      0.03,
    );
  return sequence(seconds, [0, buzz(0.2), 0.6], [0.27, buzz(0.55), 0.6]);
};

const toggle: Effect = ({ seconds, random }) =>
  sequence(
    seconds,
    [0, burst(random, 0.004, 'band', 3400, 2)],
    [0, blip(480, 300, 0.005, 0.01), 0.7],
    [0.055, burst(random, 0.006, 'band', 2100, 2), 0.9],
    [0.055, blip(360, 220, 0.006, 0.014), 0.7],
  );

const swipe: Effect = ({ seconds, pitch, random }) =>
  shape(
    filter(
      whiteNoise(seconds, random),
      'band',
      line([0, 900 * pitch], [seconds * 0.55, 5200 * pitch], [seconds, 1600 * pitch]),
      1.1,
    ),
    line([0, 0.05], [seconds * 0.5, 1], [seconds, 0]),
  );

const typeTick: Effect = ({ seconds, pitch }) => {
  // The blips of a text box in an old game.
  const ticks: [number, Float32Array, number][] = [];
  for (let at = 0, n = 0; at < seconds - 0.06; at += 0.068, n++)
    if (n % 9 !== 7)
      ticks.push([
        at,
        gateEnvelope(tone('square', 0.034, (n % 3 === 1 ? 700 : 740) * pitch), 0.02, 0.001, 0.1, 0.7),
        0.7,
      ]);
  return sequence(seconds, ...ticks);
};

export const ui = {
  click,
  softClick,
  confirm,
  chimeConfirm,
  cancel,
  cursor,
  menuOpen,
  notification,
  popUp,
  errorBeep,
  correct,
  wrong,
  toggle,
  swipe,
  typeTick,
} satisfies Record<string, Effect>;

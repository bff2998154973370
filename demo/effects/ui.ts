import { layer } from '../synth/audio.ts';
import { decay, fadeEnds } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { tone } from '../synth/oscillators.ts';
import { modes } from '../synth/struck.ts';
import { blip, burst, type Effect, inRoom, sequence } from './blocks.ts';

const click: Effect = ({ seconds, pitch, random }) =>
  sequence(
    seconds,
    [0, blip(2600 * pitch, 1300 * pitch, 0.004, 0.009)],
    [0, burst(random, 0.003, 'high', 3000), 0.5],
  );

const confirm: Effect = ({ seconds, pitch }) => {
  // prettier-ignore
  const note = (hertz: number, tau: number) => modes(hertz * pitch, tau * 6, [[1, 0.7, tau], [2, 0.2, tau / 2], [3, 0.08, tau / 4]]);
  return sequence(seconds, [0, note(988, 0.07)], [0.085, note(1319, 0.16)]);
};

const cancel: Effect = ({ seconds, pitch }) => {
  const note = (hertz: number, tau: number) => decay(tone('triangle', tau * 6, hertz * pitch), tau, 0.003);
  return sequence(seconds, [0, note(620, 0.06)], [0.09, note(415, 0.11)]);
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

export const ui = { click, confirm, cancel, notification, popUp, correct, wrong } satisfies Record<
  string,
  Effect
>;

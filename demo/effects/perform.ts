import { seededRandom } from '../random.ts';
import { type Stereo, toSamples } from '../synth/audio.ts';
import { fadeEnds } from '../synth/envelopes.ts';
import { master } from '../synth/master.ts';
import type { Effect } from './blocks.ts';
import { fantasy } from './fantasy.ts';
import { jingles } from './jingles.ts';
import { life } from './life.ts';
import { nature } from './nature.ts';
import { ui } from './ui.ts';

const effects = { ...ui, ...nature, ...life, ...fantasy, ...jingles } satisfies Record<string, Effect>;

export type EffectName = keyof typeof effects;

export interface EffectRecipe {
  kind: 'effect';
  effect: EffectName;
  seed: number;
  seconds: number;
  /** Multiplies pitch; 1: unchanged. */
  pitch: number;
}

/** Ambiences are quieter than short sounds; RMS of the loud parts, dBFS. */
const LONG_DB = -21;
const SHORT_DB = -15;
const LONG_SECONDS = 6;

/** Mono if both sides are equal, which halves the encoder's work. */
export function performEffect(recipe: EffectRecipe): Stereo | Float32Array {
  const effect: Effect = effects[recipe.effect];
  const random = seededRandom(`effect ${recipe.effect} ${recipe.seed}`);
  const made = effect({ seconds: recipe.seconds, pitch: recipe.pitch, random });
  const length = toSamples(recipe.seconds);
  const fitted = (channel: Float32Array) => {
    const out = new Float32Array(length);
    out.set(channel.subarray(0, length));
    return out;
  };
  const channels = made instanceof Float32Array ? [fitted(made)] : [fitted(made.left), fitted(made.right)];
  master(channels, recipe.seconds >= LONG_SECONDS ? LONG_DB : SHORT_DB, Math.min(0.3, recipe.seconds / 2), 4);
  for (const channel of channels) fadeEnds(channel, 0.0005, 0.01);
  const [left, right] = channels;
  return right ? { left: left as Float32Array, right } : (left as Float32Array);
}

import { SAMPLE_RATE, type Stereo } from './audio.ts';
import { filter } from './filters.ts';

/** -1.8 dBFS: a margin for peaks that MP3 encoding adds. */
const CEILING = 0.81;
const BLOCK = 32;
const LOOK_AHEAD_BLOCKS = 4;

/** Root mean square of the loudest-half windows, so that pauses do not count. */
function loudness(channels: Float32Array[], windowSeconds: number): number {
  const length = channels[0]!.length;
  const window = Math.max(1, Math.min(length, Math.round(windowSeconds * SAMPLE_RATE)));
  const powers: number[] = [];
  for (let start = 0; start + window <= length; start += window) {
    let sum = 0;
    for (const channel of channels) for (let i = start; i < start + window; i++) sum += channel[i]! ** 2;
    powers.push(sum / window / channels.length);
  }
  powers.sort((a, b) => b - a);
  const loud = powers.slice(0, Math.max(1, Math.ceil(powers.length / 2)));
  return Math.sqrt(loud.reduce((sum, power) => sum + power, 0) / loud.length);
}

function peak(channels: Float32Array[]): number {
  let highest = 1e-9;
  for (const channel of channels)
    for (let i = 0; i < channel.length; i++) highest = Math.max(highest, Math.abs(channel[i]!));
  return highest;
}

/** A look-ahead limiter: attenuates peaks above the ceiling without distorting the waveform. In place. */
function limit(channels: Float32Array[]): void {
  const length = channels[0]!.length;
  const blocks = Math.ceil(length / BLOCK) + 1;
  const needed = new Float32Array(blocks).fill(1);
  for (const channel of channels)
    for (let i = 0; i < length; i++) {
      const level = Math.abs(channel[i]!);
      const block = (i / BLOCK) | 0;
      if (level * needed[block]! > CEILING) needed[block] = CEILING / level;
    }
  const gains = new Float32Array(blocks);
  let gain = 1;
  for (let b = 0; b < blocks; b++) {
    let lowest = 1;
    for (let k = Math.max(0, b - 1); k <= Math.min(blocks - 1, b + LOOK_AHEAD_BLOCKS); k++)
      lowest = Math.min(lowest, needed[k]!);
    gain = lowest < gain ? Math.max(lowest, gain - (gain - lowest) * 0.6) : gain + (lowest - gain) * 0.008;
    gains[b] = Math.min(gain, needed[b]!);
  }
  for (const channel of channels)
    for (let i = 0; i < length; i++) {
      const b = (i / BLOCK) | 0;
      const from = Math.min(gains[b]!, b > 0 ? gains[b - 1]! : 1);
      const to = Math.min(gains[b]!, gains[b + 1] ?? 1);
      const level = channel[i]! * (from + ((to - from) * (i % BLOCK)) / BLOCK);
      channel[i] = Math.max(-CEILING, Math.min(CEILING, level));
    }
}

/**
 * Removes rumble, brings the loud parts to `targetDb` (RMS, dBFS) and keeps peaks below the ceiling. Short sounds have
 * high peaks: at most `pushDb` above the ceiling enters the limiter. In place.
 */
export function master(
  channels: Float32Array[],
  targetDb: number,
  windowSeconds: number,
  pushDb: number,
): void {
  for (const channel of channels) filter(channel, 'high', 28);
  const wanted = 10 ** (targetDb / 20) / Math.max(1e-9, loudness(channels, windowSeconds));
  const gain = Math.min(wanted, (CEILING / peak(channels)) * 10 ** (pushDb / 20));
  for (const channel of channels) for (let i = 0; i < channel.length; i++) channel[i]! *= gain;
  limit(channels);
}

export function masterStereo(sound: Stereo, targetDb: number): void {
  master([sound.left, sound.right], targetDb, 0.4, 10);
}

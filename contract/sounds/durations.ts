/**
 * Texts of durations, in seconds. All of them round down: a position reaches the length at the end, and a sound that is
 * listed under 30 seconds (`LENGTH_RANGES`) does not show 0:30.
 */

/** Shorter sounds show tenths, so that effects are distinguishable. */
const TENTHS_BELOW_SEC = 10;

/** The length of a sound: `3:05`, `1:02:03` from an hour on, `1.6秒` below ten seconds; unknown is `0:00`. */
export function formatLength(sec: number): string {
  return formatPosition(Math.max(0.1, sec), sec);
}

/** A position in a sound, as exact as the sound's length: `1:05` or `0.3秒`. */
export function formatPosition(sec: number, totalSec: number): string {
  return isShort(totalSec) ? formatTenths(sec) : formatWhole(sec);
}

/** `formatPosition` for screen readers: `1分5秒` or `0.3秒`. */
export function speakPosition(sec: number, totalSec: number): string {
  return isShort(totalSec) ? formatTenths(sec) : speakDuration(sec);
}

/** A duration for screen readers: `3分5秒`. */
export function speakDuration(sec: number): string {
  const whole = toWhole(sec);
  const minutes = Math.floor(whole / 60);
  return minutes > 0 ? `${minutes}分${whole % 60}秒` : `${whole}秒`;
}

function isShort(totalSec: number): boolean {
  return totalSec > 0 && totalSec < TENTHS_BELOW_SEC;
}

function formatTenths(sec: number): string {
  return `${(Math.floor(toMs(sec) / 100) / 10).toFixed(1)}秒`;
}

function formatWhole(sec: number): string {
  const whole = toWhole(sec);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

function toWhole(sec: number): number {
  return Math.floor(toMs(sec) / 1000);
}

/** Lengths are whole milliseconds; as seconds, some are slightly below (4.1 × 1000). */
function toMs(sec: number): number {
  return Number.isFinite(sec) && sec > 0 ? Math.round(sec * 1000) : 0;
}

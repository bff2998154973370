import { HOUR_MS } from '../../../contract/values/time-units.ts';

const times = new Intl.DateTimeFormat('ja-JP', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Asia/Tokyo',
});

/** `2026/11/22 18:30` in Japan. */
export function formatTime(ms: number): string {
  return times.format(ms);
}

/** How long ago: `3日前`, `5時間前`, `1時間以内`. */
export function formatSince(ms: number, nowMs = Date.now()): string {
  const hours = Math.floor((nowMs - ms) / HOUR_MS);
  if (hours < 1) return '1時間以内';
  return hours < 48 ? `${hours}時間前` : `${Math.floor(hours / 24)}日前`;
}

const numbers = new Intl.NumberFormat('ja-JP');

/** `12,345` */
export function formatCount(count: number): string {
  return numbers.format(count);
}

/** `¥12,345` */
export function formatYen(yen: number): string {
  return `${yen < 0 ? '-' : ''}¥${numbers.format(Math.abs(yen))}`;
}

/** `2026年11月` from `2026-11`; '' for an invalid month. */
export function formatMonth(month: string): string {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? [];
  return year === undefined ? '' : `${Number(year)}年${Number(number)}月`;
}

/** A duration as `3:05`, or `1:02:03` from an hour on; unknown is `0:00`. */
export function formatDuration(sec: number): string {
  const whole = Number.isFinite(sec) && sec > 0 ? Math.floor(sec) : 0;
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A position in a sound: `1:05`, or `0.3` in one too short for whole seconds. */
export function formatClock(sec: number, totalSec: number): string {
  return totalSec > 0 && totalSec < 10 ? Math.max(0, sec).toFixed(1) : formatDuration(sec);
}

/** A duration for screen readers: `3分5秒`. */
export function speakDuration(sec: number): string {
  const whole = Number.isFinite(sec) && sec > 0 ? Math.floor(sec) : 0;
  const minutes = Math.floor(whole / 60);
  return minutes > 0 ? `${minutes}分${whole % 60}秒` : `${whole}秒`;
}

/** A duration on a card: sounds under ten seconds show tenths, since most effects are that short. */
export function formatLength(ms: number): string {
  return ms < 10_000 ? `${(Math.max(100, ms) / 1000).toFixed(1)}秒` : formatDuration(Math.round(ms / 1000));
}

/** `2026年11月20日` from an ISO date; '' for an invalid date. */
export function formatDate(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time)
    ? ''
    : new Date(time).toLocaleDateString('ja-JP', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
}

/** `1.2 MB` */
export function formatBytes(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

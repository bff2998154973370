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

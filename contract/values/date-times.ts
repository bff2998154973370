/** Formats a time (epoch ms) in Japan for pages, mails and replies to members: `2026年11月20日 14:30`; '' for NaN. */
export function formatDateTime(timeMs: number): string {
  if (Number.isNaN(timeMs)) return '';
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
  return new Date(timeMs).toLocaleString('ja-JP', options);
}

/** `2026年11月20日 14:30`, in Japan, from an ISO time; '' when it is none. Apart from format.ts, which every listing loads. */
export function formatDateTime(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
  return new Date(time).toLocaleString('ja-JP', options);
}

/** A favourite says more than a download. Orders equal search hits. */
const DOWNLOADS_PER_FAVORITE = 3;

export function toPopularity(downloadCount: number, favoriteCount: number): number {
  return downloadCount + DOWNLOADS_PER_FAVORITE * favoriteCount;
}

/**
 * The bucket a count falls in: 0 and 1 have their own, then two to each doubling (2, 3, 4–5, 6–7,
 * 8–11, …). A higher count is never in a lower bucket, and a sound changes its bucket seldom.
 */
export function toBucket(count: number): number {
  if (count < 2) return Math.max(0, count);
  const octave = Math.floor(Math.log2(count));
  return 2 * octave + (count >= 1.5 * 2 ** octave ? 1 : 0);
}

/** A favourite says more than a download. Orders equal search hits. */
const DOWNLOADS_PER_FAVORITE = 3;

export function toPopularity(downloadCount: number, favoriteCount: number): number {
  return downloadCount + DOWNLOADS_PER_FAVORITE * favoriteCount;
}

/**
 * How many doublings a count has gone through: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, …
 * It rises seldom, and with it the sound's tokens in the search index have to change.
 */
export function toLevel(count: number): number {
  return count < 1 ? 0 : Math.floor(Math.log2(count)) + 1;
}

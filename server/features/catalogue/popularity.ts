/** A favourite weighs more than a download. Used to order equally relevant search hits. */
const DOWNLOADS_PER_FAVORITE = 3;

export function toPopularity(downloadCount: number, favoriteCount: number): number {
  return downloadCount + DOWNLOADS_PER_FAVORITE * favoriteCount;
}

/**
 * The number of doublings of a count: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, … It rises seldom; each rise
 * changes the sound's tokens in the search index.
 */
export function toLevel(count: number): number {
  return count < 1 ? 0 : Math.floor(Math.log2(count)) + 1;
}

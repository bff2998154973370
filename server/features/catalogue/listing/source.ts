/** One way to find the results of a listing; `count` is called first. */
export interface ListingSource {
  /** The number of results, up to `cap`. */
  count(cap: number): Promise<number>;
  /** The seqs of one page. */
  list(limit: number, offset: number): Promise<readonly number[]>;
}

/** One way to find the results of a listing; `count` is called first. */
export interface ListingSource {
  /** The number of results, up to `cap`. */
  count(cap: number): Promise<number>;
  /** The seqs of one page; `counted` is the result of `count`. */
  list(counted: number, limit: number, offset: number): Promise<number[]>;
}

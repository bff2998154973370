/** One way to find what a listing shows; `count` is asked first. */
export interface ListingSource {
  /** How many there are, up to `cap`. */
  count(cap: number): Promise<number>;
  /** The seqs of one page; `counted` is what `count` gave. */
  list(counted: number, limit: number, offset: number): Promise<number[]>;
}

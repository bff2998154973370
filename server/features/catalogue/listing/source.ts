import type { SearchNotes } from '../../../../contract/search/search-notes.ts';

/** One way to find the results of a listing; `count` is called first. */
export interface ListingSource {
  /** What a search did with its words, if there is anything to say. */
  readonly notes?: SearchNotes | undefined;
  /** The number of results, up to `cap`. */
  count(cap: number): Promise<number>;
  /** The seqs of one page. */
  list(limit: number, offset: number): Promise<readonly number[]>;
}

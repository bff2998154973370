/** The limits of a listing. Separate from the schemas so that pages without a call need not load those. */

/** Spec §7 and §9: 20 per page by default. 100 at most is our own limit (decision 023). */
export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;
/**
 * Maximum number of results of a listing that can be paged through. Deeper pages are empty and `count` stops here with
 * `count_is_capped`, so that no request reads the whole catalogue.
 */
export const RESULTS_REACHABLE = 2_000;
/** Higher page numbers are invalid whatever the catalogue contains. */
export const PAGE_NUMBER_MAX = 1_000_000;
/** Bounds the cost of a search. The API rejects longer texts; pages truncate them. */
export const SEARCH_LENGTH_MAX = 100;
/** Filters with more sub-genres are rejected, because each costs a look-up per candidate. */
export const SUB_GENRES_MAX = 10;
/** Equals the maximum number of sounds on a page. */
export const IDS_MAX = 100;

/** The orders of a listing (decision 023). `relevance` only has a meaning with a search. */
export const ORDERINGS = ['-created', '-downloads', '-favorites', 'relevance'] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** The limits of a listing. They stand apart from the schemas, which pages without a call do not load. */

/** Spec §7 and §9: 20 a page by default; decisions.md: 100 at most. */
export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;
/**
 * How many results of one listing can be paged through. Deeper pages are empty, and `count`
 * stops here with `count_is_capped`, so that no request reads the whole catalogue.
 */
export const RESULTS_REACHABLE = 2_000;
/** Page numbers above this are nonsense whatever the catalogue holds. */
export const PAGE_NUMBER_MAX = 1_000_000;
/** Bounds the cost of a search; longer texts are refused by the API and cut by pages. */
export const SEARCH_LENGTH_MAX = 100;
/** More sub-genres than this in one filter are refused: each costs a look-up per candidate. */
export const SUB_GENRES_MAX = 10;
/** As many ids as a page has sounds at most. */
export const IDS_MAX = 100;

/** decisions.md: how a listing can be ordered; `relevance` means something only with a search. */
export const ORDERINGS = ['-created', '-downloads', '-favorites', 'relevance'] as const;
export type Ordering = (typeof ORDERINGS)[number];

import type { FactChoices, FactParameter } from '../../contract/sounds/sound-facts.ts';
import type { SiteConfig } from '../../contract/site/site.ts';
import type { SoundQuery } from '../../contract/sounds/sounds.ts';
import { omitUses, parseFacts } from './fact-choices.ts';
import {
  ORDERINGS,
  type Ordering,
  PAGE_SIZE_DEFAULT,
  RESULTS_REACHABLE,
  SEARCH_LENGTH_MAX,
  SUB_GENRES_MAX,
} from '../../contract/sounds/listing-limits.ts';

/** The state of the listing at /sounds. Its URL is the only source. */
export interface SoundFilters {
  readonly search: string;
  readonly type: string | null;
  readonly subGenres: readonly string[];
  /** true: AI-made only, false: without AI-made, null: both. */
  readonly isAiGenerated: boolean | null;
  readonly facts: FactChoices;
  readonly ordering: Ordering;
  /** The first page of the listing, from 1. */
  readonly page: number;
  /** The last page of the listing: もっと見る appends pages up to here. */
  readonly lastPage: number;
}

export const PAGES_MAX = Math.ceil(RESULTS_REACHABLE / PAGE_SIZE_DEFAULT);
/** Limit of もっと見る: more cards on one page make it slow. */
export const PAGES_SHOWN_MAX = 5;

/** Parses the filters of a URL. Users type and share URLs: invalid values become the nearest valid ones. */
export function parseSoundFilters(params: URLSearchParams): SoundFilters {
  const search = clean(params.get('search') ?? '');
  const ordering = ORDERINGS.find((each) => each === params.get('ordering'));
  const page = toPage(params.get('page'), 1);
  const ai = params.get('is_ai_generated');
  return {
    search,
    type: toId(params.get('type')),
    // Sorted, so that one listing has one address.
    subGenres: [...new Set(params.getAll('sub_genres').flatMap((id) => toId(id) ?? []))]
      .slice(0, SUB_GENRES_MAX)
      .sort(),
    isAiGenerated: ai === 'true' ? true : ai === 'false' ? false : null,
    facts: parseFacts(params),
    ordering: ordering && (ordering !== 'relevance' || search !== '') ? ordering : defaultOrdering(search),
    page,
    lastPage: Math.max(page, Math.min(toPage(params.get('to'), page), page + PAGES_SHOWN_MAX - 1, PAGES_MAX)),
  };
}

/** The address of a listing; it contains only values that differ from the defaults. */
export function toSoundsUrl(filters: SoundFilters): string {
  return `/sounds${toListingQuery(filters)}`;
}

/** The page with all filters, for browsers without script. */
export function toFiltersUrl(filters: SoundFilters): string {
  return `/filters${toListingQuery({ ...filters, page: 1, lastPage: 1 })}`;
}

/** A page has one for each of its filters, so this builds no `URLSearchParams`. */
function toListingQuery(filters: SoundFilters): string {
  const { search, type, subGenres, isAiGenerated, facts, ordering, page, lastPage } = filters;
  let query = '';
  const add = (name: string, value: string) =>
    void (query += `${query === '' ? '?' : '&'}${name}=${encode(value)}`);
  if (search !== '') add('search', search);
  if (type !== null) add('type', type);
  for (const id of subGenres) add('sub_genres', id);
  if (isAiGenerated !== null) add('is_ai_generated', String(isAiGenerated));
  for (const name in facts) for (const value of facts[name as FactParameter] ?? []) add(name, value);
  if (hasOwnOrdering(filters)) add('ordering', ordering);
  if (page > 1) add('page', String(page));
  if (lastPage > page) add('to', String(lastPage));
  return query;
}

/** As `URLSearchParams` does. */
function encode(value: string): string {
  return /^[\w.*-]*$/.test(value) ? value : new URLSearchParams([['', value]]).toString().slice(1);
}

/** The feed of a listing: its filters, always the newest sounds. */
export function toFeedUrl(filters: SoundFilters): string {
  const ordering = defaultOrdering(filters.search);
  return toSoundsUrl({ ...filters, ordering, page: 1, lastPage: 1 }).replace('/sounds', '/feed');
}

/**
 * The filters that a host supports: all of an extended host, else those of spec §7. Uses that the terms give for every
 * sound narrow nothing.
 */
export function limitFilters(
  filters: SoundFilters,
  { is_extended, licence }: Pick<SiteConfig, 'is_extended' | 'licence'>,
): SoundFilters {
  if (is_extended) return licence ? { ...filters, facts: omitUses(filters.facts, licence.uses) } : filters;
  const ordering = defaultOrdering(filters.search);
  return { ...filters, subGenres: [], isAiGenerated: null, facts: {}, ordering };
}

/** The query for one page of a listing: `page` and `type`, and the rest for an extended host. */
export function toSoundQuery(filters: SoundFilters, page: number, isExtended: boolean): SoundQuery {
  const { search, type, subGenres, isAiGenerated, facts, ordering } = filters;
  return {
    page,
    ...(type !== null && { type }),
    ...(isExtended && {
      ...(search !== '' && { search }),
      ...(subGenres.length > 0 && { sub_genres: subGenres }),
      ...(isAiGenerated !== null && { is_ai_generated: isAiGenerated }),
      ...facts,
      ordering,
    }),
  };
}

/** Changed filters return to the first page; a new search is ordered by relevance again. */
export function changeFilters(filters: SoundFilters, change: Partial<SoundFilters>): SoundFilters {
  const next = { ...filters, page: 1, lastPage: 1, ...change };
  const wasDefault = !hasOwnOrdering(filters);
  if (
    change.ordering === undefined &&
    (wasDefault || (next.search === '' && next.ordering === 'relevance'))
  ) {
    return { ...next, ordering: defaultOrdering(next.search) };
  }
  return next;
}

/** Removes a sub-genre if selected, else adds it (spec §4). */
export function toggleSubGenre(selected: readonly string[], id: string): string[] {
  return selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id];
}

/** Whether the order was chosen explicitly and differs from the default. */
export function hasOwnOrdering({ ordering, search }: SoundFilters): boolean {
  return ordering !== defaultOrdering(search);
}

function defaultOrdering(search: string): Ordering {
  return search === '' ? '-created' : 'relevance';
}

/** Search text without control characters, cut at the API's limit. */
function clean(text: string): string {
  // eslint-disable-next-line no-control-regex
  return [...text.toWellFormed().replace(/[\u0000-\u001f\u007f\ufffd]+/g, ' ')]
    .slice(0, SEARCH_LENGTH_MAX)
    .join('')
    .slice(0, SEARCH_LENGTH_MAX)
    .toWellFormed()
    .trim();
}

/** Ids are defined by the host: any text that is a valid id. */
function toId(text: string | null): string | null {
  const id = text?.toWellFormed().trim() ?? '';
  return /^[^\p{Cc}\ufffd]{1,200}$/u.test(id) ? id : null;
}

function toPage(text: string | null, otherwise: number): number {
  return /^\d+$/.test(text ?? '') ? Math.min(PAGES_MAX, Math.max(1, Number(text))) : otherwise;
}

import { toHiragana } from 'wanakana';
import type { SearchCompletions } from '../../../../contract/search/search-suggestions.ts';
import { foldSearchText, toSearchTerms, toTitleKey } from '../../../../contract/search/search-tokens.ts';
import { toUsernameKey } from '../../../../contract/accounts/usernames.ts';
import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import type { SearchExpression } from '../../../platform/database/search-index/search-expression.ts';
import { selectArtistNames, selectSounds } from '../queries.ts';
import type { SoundRow } from '../queries.ts';
import { isVisible } from '../visibility.ts';
import { loadLexicon } from './lexicon.ts';
import type { LexiconWord } from './lexicon.ts';
import { parseQuery } from './query.ts';
import { findHits, rankHits } from './ranked-search.ts';
import type { RankedSearch } from './ranked-search.ts';
import { toQueryForms } from './pronunciations.ts';
import { isKana } from './romaji.ts';
import { toWidest } from './text.ts';
import { FIELDS, facets, toTermsExpression } from './tokens.ts';
import { read } from './understanding.ts';

const WORDS_MAX = 4;
const ARTISTS_MAX = 2;
const SOUNDS_MAX = 3;
/** Each costs a query unless its result is cached. */
const CANDIDATES_MAX = 8;
/** Hits whose title or artist is compared with the text. */
const NAMED_MAX = 20;
/** With this many hits by name, pronunciations are not searched: excluding the names would cost too much. */
const NAMED_ENOUGH = 200;
/** More hits are not sorted all together (ranked-search.ts). */
const COUNTED_MAX = 1_001;
const FINDS_CACHE_MS = 600_000;
const NOTHING: SearchCompletions = { words: [], artists: [], sounds: [] };

/**
 * What a text that is being typed can become. Shows only what a visitor can see, and costs at most four searches of
 * names, and one query for each word whose result is not cached.
 */
export async function completeSearch(database: Database, text: string): Promise<SearchCompletions> {
  const { words, phrases, excluded } = parseQuery(text.toWellFormed());
  const terms = toSearchTerms(words);
  if (terms.length === 0 || phrases.length + excluded.length > 0) return NOTHING;
  const key = toTitleKey(words);
  const title: SearchExpression = { any: [facets.titleIs(key), toTermsExpression(terms, 'title')] };
  const named = toTermsExpression(terms, 'names');
  const { rows: byTitle } = await findPopular(database, title, SOUNDS_MAX);
  const { rows: byName, hits } = await findPopular(database, named, NAMED_MAX);
  const sounds = [...byTitle, ...byName.filter((row) => containsWords(row.title, words))];
  const byReading = toQueryForms(key).map((kana) => FIELDS.titlePronunciations + kana);
  if (sounds.length < SOUNDS_MAX && hits < NAMED_ENOUGH && byReading.length > 0)
    sounds.push(...(await findPopular(database, { one: { any: byReading }, not: named }, SOUNDS_MAX)).rows);
  const artists = [
    ...(await selectArtistNames(database, toUsernameKey(words), ARTISTS_MAX)),
    ...byName.map((row) => row.artist_name).filter((name) => toTitleKey(name).startsWith(key)),
  ];
  return {
    words: await completeWords(database, text),
    artists: [...new Set(artists)].slice(0, ARTISTS_MAX),
    sounds: toDistinct(sounds).slice(0, SOUNDS_MAX),
  };
}

/** The most popular public sounds that match, and how many do, up to a limit. */
async function findPopular(
  database: Database,
  tier: SearchExpression,
  limit: number,
): Promise<{ rows: SoundRow[]; hits: number }> {
  const search: RankedSearch = {
    database,
    text: { groups: [[tier]], byArtist: undefined },
    filters: [],
    unwanted: [],
    broadFilters: [],
    rowFilter: {},
    withPrivate: false,
    order: 'popularity',
  };
  const hits = await findHits(search, COUNTED_MAX);
  const rows = await selectSounds(database.db, await rankHits(search, hits, limit));
  // The search index changes with the rows. If it ever did not, this still keeps private sounds out.
  return { rows: rows.filter((row) => isVisible(row, null)), hits: hits.newest.length };
}

function containsWords(title: string, words: string): boolean {
  const key = toTitleKey(title);
  return words.split(' ').every((word) => key.includes(toTitleKey(word)));
}

/** One sound for each title, because visitors cannot distinguish equal titles. */
function toDistinct(rows: readonly SoundRow[]): { id: string; title: string }[] {
  return [...new Map(rows.toReversed().map(({ id, title }) => [title, { id, title }])).values()].toReversed();
}

/** The text with its last word replaced by words of the lexicon, if that finds something. */
async function completeWords(database: Database, text: string): Promise<string[]> {
  const [, before = '', last = ''] = /^(.*\s)?(\S+)$/su.exec(text) ?? [];
  const found: string[] = [];
  const { words } = await loadLexicon(database);
  for (const { word } of listCandidates(words, last)) {
    if (await finds(database, before, word)) found.push(before + word);
    if (found.length === WORDS_MAX) break;
  }
  return found;
}

/** Words of the lexicon whose spelling or reading begins so: exact ones first, then genres, then short ones. */
function listCandidates(vocabulary: readonly LexiconWord[], typed: string): LexiconWord[] {
  const prefix = foldSearchText(typed);
  if (prefix === '') return [];
  const kana = toKanaPrefix(prefix);
  const isBeginning = (text: string) => text.startsWith(prefix) || (kana !== '' && text.startsWith(kana));
  const rank = ({ folded, reading, isGenre }: LexiconWord) => {
    const isExact = folded === prefix || folded === kana || reading === kana;
    return (isExact ? 0 : 1_000) + (isGenre ? 0 : 100) + folded.length;
  };
  return vocabulary
    .filter(
      ({ word, folded, reading = '' }) => word !== typed && (isBeginning(folded) || isBeginning(reading)),
    )
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, CANDIDATES_MAX);
}

/** The kana that a text begins with, also one in romaji whose last kana is unfinished; '' if there are none. */
function toKanaPrefix(prefix: string): string {
  if (isKana(prefix)) return prefix;
  if (!/^[a-z]{3,}$/.test(prefix)) return '';
  const kana = toHiragana(prefix, { IMEMode: true }).replace(/[a-z]+$/, '');
  return isKana(kana, 2) ? kana : '';
}

/** Whether a visitor's search for a word of the lexicon, after those typed before it, has any hits. */
async function finds(database: Database, before: string, word: string): Promise<boolean> {
  const remembered = await cached(
    database,
    'words that find sounds',
    async () => new Map<string, boolean>(),
    FINDS_CACHE_MS,
  );
  const isAlone = before.trim() === '';
  const cachedResult = isAlone ? remembered.get(word) : undefined;
  if (cachedResult !== undefined) return cachedResult;
  const widest = toWidest(await read(database, before + word));
  const hasHits = widest !== undefined && (await database.search.count(database.db, widest, 1)) > 0;
  if (isAlone) remembered.set(word, hasHits);
  return hasHits;
}

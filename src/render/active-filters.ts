import type { Genre, SoundType } from '../../contract/sounds/genres.ts';
import type { FactName } from '../../contract/sounds/sound-facts.ts';
import { listFacts, toggleFact } from '../lib/fact-choices.ts';
import { FACT_TEXTS, toFactText } from '../lib/fact-texts.ts';
import type { Listing } from './listing.ts';
import { type SoundFilters, changeFilters, toggleSubGenre } from '../lib/sound-filters.ts';

/** One active filter, and the filters without it. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: SoundFilters;
}

/** Lists the active filters in the order of the panel. */
export function listActiveFilters(
  { filters, notes }: Pick<Listing, 'filters' | 'notes'>,
  types: readonly SoundType[],
  genres: readonly Genre[],
): ActiveFilter[] {
  const active: ActiveFilter[] = [];
  const add = (label: string, change: Partial<SoundFilters>) =>
    active.push({ label, without: changeFilters(filters, change) });
  if (filters.search !== '') add(`「${filters.search}」`, { search: '' });
  for (const { word, name, values } of notes?.facts ?? []) {
    const search = filters.search.replace(word, ' ').replace(/\s+/g, ' ').trim();
    if (search !== '')
      add(`${word}：${values.map((value) => toWordText(name, value)).join('、')}`, { search });
  }
  if (filters.type !== null) {
    add(types.find(({ id }) => id === filters.type)?.name ?? '不明な種類', { type: null });
  }
  if (filters.isAiGenerated !== null) {
    add(filters.isAiGenerated ? 'AI使用' : 'AI不使用', { isAiGenerated: null });
  }
  for (const { parameter, name, value } of listFacts(filters.facts)) {
    const text = toFactText(name, value);
    const label = parameter === name ? text : `${text}以外`;
    add(label, { facts: toggleFact(filters.facts, parameter, value) });
  }
  const subGenres = genres.flatMap((genre) => genre.sub_genres);
  for (const id of filters.subGenres) {
    const name = subGenres.find((subGenre) => subGenre.id === id)?.name ?? '不明なジャンル';
    add(name, { subGenres: toggleSubGenre(filters.subGenres, id) });
  }
  return active;
}

/** The filter value that the host read in a word of the search. */
function toWordText(name: string, value: string): string {
  if (name === 'is_ai_generated') return value === 'true' ? 'AI使用' : 'AI不使用';
  return name in FACT_TEXTS ? toFactText(name as FactName, value) : value;
}

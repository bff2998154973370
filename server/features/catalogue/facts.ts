import type { MusicalKey } from '../../../contract/sounds/music.ts';
import {
  FACT_FILTERS,
  FACT_NAMES,
  toKeyValues,
  toLengthRange,
  toTempoRange,
} from '../../../contract/sounds/sound-facts.ts';
import type { FactChoices, FactValues } from '../../../contract/sounds/sound-facts.ts';
import { toList } from '../../platform/database/tables/parts.ts';
import type { SearchExpression } from '../../platform/database/search-index/search-expression.ts';
import { facets } from './search/tokens.ts';
import type { FieldColumns } from './tables.ts';

/** The columns of a sound that its facts come from. */
interface FactColumns extends FieldColumns {
  readonly duration_ms: number;
  /** Of `sound_features`. */
  readonly effective_bpm: number | null;
  readonly effective_key: string | null;
}

/** The values that a sound is found by; of its uses, those that its artist allows. */
export function toFactValues(row: FactColumns): FactValues {
  const length = toLengthRange(row.duration_ms);
  const tempo = toTempoRange(row.effective_bpm);
  return {
    length: length === undefined ? [] : [length],
    tempo: tempo === undefined ? [] : [tempo],
    key: toKeyValues(row.effective_key as MusicalKey | null),
    loopable: row.is_loopable === 1 ? ['yes'] : [],
    vocals: row.has_vocals === null ? [] : [row.has_vocals === 1 ? 'yes' : 'no'],
    mood: toList(row.moods),
    use: toList(row.licence_uses),
    content_id: row.content_id === null ? [] : [row.content_id],
  };
}

/** The conditions of a query on the facts: every hit has all of `wanted`, and none of `unwanted`. */
export interface FactQuestion {
  readonly wanted: readonly SearchExpression[];
  readonly unwanted: readonly string[];
}

/** The question of a query; undefined if nothing can match. All sounds have `givenUses`. */
export function toFactQuestion(query: FactChoices, givenUses: readonly string[]): FactQuestion | undefined {
  if (query['-use']?.some((use) => givenUses.includes(use))) return undefined;
  const choices = { ...query, use: query.use?.filter((use) => !givenUses.includes(use)) };
  const wanted: SearchExpression[] = [];
  const unwanted: string[] = [];
  for (const name of FACT_NAMES) {
    const toToken = (value: string) => facets.fact(name, value);
    const tokens = [...new Set(choices[name])].map(toToken);
    if (FACT_FILTERS[name].several === 'all') wanted.push(...tokens);
    else if (tokens.length > 0) wanted.push(tokens.length === 1 ? (tokens[0] as string) : { any: tokens });
    unwanted.push(...[...new Set(choices[`-${name}`])].map(toToken));
  }
  return { wanted, unwanted };
}

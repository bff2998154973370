import { MUSICAL_KEYS } from './music.ts';
import type { MusicalKey } from './music.ts';

/**
 * What an artist can say about a sound, and the filters of the listing by these facts. A value is at once a word of the
 * URL and, without its hyphens, part of a token of the search index: it never changes.
 */

export const MOODS = [
  'bright',
  'calm',
  'sad',
  'nostalgic',
  'mysterious',
  'tense',
  'scary',
  'brave',
  'grand',
  'comical',
  'cute',
  'cool',
] as const;
export type Mood = (typeof MOODS)[number];
export const SOUND_MOODS_MAX = 3;

/**
 * What a sound may be used for; `uncredited`: without naming the artist. The terms of the site give some of them for
 * every sound (`contract/downloads/licence.ts`). Artists can allow the others.
 */
export const LICENCE_USES = [
  'video',
  'streaming',
  'games',
  'apps',
  'commercial',
  'uncredited',
  'venues',
  'broadcast',
  'songs',
] as const;
export type LicenceUse = (typeof LICENCE_USES)[number];

/** Whether the sound is registered with YouTube's Content ID. */
export const CONTENT_ID_STATES = ['none', 'registered'] as const;
export type ContentIdState = (typeof CONTENT_ID_STATES)[number];

/** Seconds: at least the first number, and less than the second. */
export const LENGTH_RANGES = ['0-10', '10-30', '30-60', '60-180', '180-300', '300-'] as const;
export type LengthRange = (typeof LENGTH_RANGES)[number];

/** The range of a length; undefined while the length is not known. */
export function toLengthRange(durationMs: number): LengthRange | undefined {
  if (durationMs <= 0) return undefined;
  return LENGTH_RANGES.findLast((range) => durationMs >= Number.parseInt(range) * 1_000);
}

/** Beats a minute: at least the first number, and less than the second. */
export const TEMPO_RANGES = ['0-90', '90-120', '120-150', '150-'] as const;
export type TempoRange = (typeof TEMPO_RANGES)[number];

/** The range of a tempo; undefined while the tempo is not known. */
export function toTempoRange(bpm: number | null): TempoRange | undefined {
  return bpm === null ? undefined : TEMPO_RANGES.findLast((range) => bpm >= Number.parseInt(range));
}

export const KEY_MODES = ['major', 'minor'] as const;
export type KeyMode = (typeof KEY_MODES)[number];
export type KeyValue = KeyMode | `${string}-${KeyMode}`;
/** Both modes, then each key, such as `fs-minor`. */
export const KEY_VALUES: readonly KeyValue[] = [...KEY_MODES, ...MUSICAL_KEYS.map(toKeyValue)];

/** The value of one key. */
export function toKeyValue(key: MusicalKey): KeyValue {
  return `${key.replace(/m$/, '').replace('#', 's').toLowerCase()}-${toKeyMode(key)}`;
}

/** The values that a key is found by; none while it is not known. */
export function toKeyValues(key: MusicalKey | null): KeyValue[] {
  return key === null ? [] : [toKeyMode(key), toKeyValue(key)];
}

export function toKeyMode(key: MusicalKey): KeyMode {
  return key.endsWith('m') ? 'minor' : 'major';
}

interface FactFilter {
  readonly values: readonly string[];
  /**
   * Which sounds several values find: those with `any` of them, for facts of which a sound has one, or those with `all`.
   */
  readonly several: 'any' | 'all';
}

/** The filters by facts, in the order of URLs. Adding one: docs/recipes.md. */
export const FACT_FILTERS = {
  length: { values: LENGTH_RANGES, several: 'any' },
  tempo: { values: TEMPO_RANGES, several: 'any' },
  key: { values: KEY_VALUES, several: 'any' },
  loopable: { values: ['yes'], several: 'any' },
  vocals: { values: ['no', 'yes'], several: 'any' },
  mood: { values: MOODS, several: 'all' },
  use: { values: LICENCE_USES, several: 'all' },
  content_id: { values: CONTENT_ID_STATES, several: 'any' },
} as const satisfies Readonly<Record<string, FactFilter>>;
export type FactName = keyof typeof FACT_FILTERS;
export const FACT_NAMES = Object.keys(FACT_FILTERS) as FactName[];

/** `mood` requires values, `-mood` excludes the sounds that have any of them. */
export type FactParameter = FactName | `-${FactName}`;
export const FACT_PARAMETERS: readonly FactParameter[] = FACT_NAMES.flatMap((name) => [
  name,
  `-${name}` as const,
]);

/** The chosen values by parameter; absent: none. */
export type FactChoices = { readonly [Parameter in FactParameter]?: readonly string[] | undefined };

/** The filter that a parameter belongs to. */
export function toFactName(parameter: FactParameter): FactName {
  return parameter.replace(/^-/, '') as FactName;
}

/** The values of each filter that one sound has. */
export type FactValues = Readonly<Record<FactName, readonly string[]>>;

import * as fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_LICENCE } from '#contract/downloads/licence.ts';
import { FACT_FILTERS, FACT_PARAMETERS, toFactName } from '#contract/sounds/sound-facts.ts';
import type { FactName, FactParameter } from '#contract/sounds/sound-facts.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestCatalogue, type TestSound, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, insertMany } from '#support/databases/databases.ts';
import { createRandom } from './generated.ts';

const next = createRandom(7);
const some = <Value>(values: readonly Value[], share: number) => values.filter(() => next() < share);
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value;
const SECONDS = [0, 0.5, 9.999, 10, 29.9, 30, 59, 60, 179, 180, 299, 300, 3_000];

const KEYS = [undefined, 'C', 'Am', 'F#', 'F#m', 'Bb', 'G#m'] as const;
const TEMPOS = [undefined, 44, 60, 80, 81, 89.9, 90, 119, 120, 139, 140, 180, 300];

const SOUNDS: readonly TestSound[] = Array.from({ length: 60 }, (_, index) => ({
  key: String(index),
  title: next() < 0.5 ? `雨の音${index}` : `風の音${index}`,
  subGenres: some(['切ない', '戦闘', 'ピアノ'], 0.4),
  isAi: next() < 0.3,
  isPublished: next() < 0.9,
  downloads: Math.floor(next() * 5),
  seconds: oneOf(SECONDS),
  bpm: oneOf(TEMPOS),
  musicalKey: oneOf(KEYS),
  facts: {
    is_loopable: next() < 0.4,
    ...(next() < 0.6 && { has_vocals: next() < 0.5 }),
    moods: some(FACT_FILTERS.mood.values, 0.25).slice(0, 3),
    licence_uses: some(FACT_FILTERS.use.values, 0.5),
    ...(next() < 0.6 && { content_id: oneOf(FACT_FILTERS.content_id.values) }),
  },
}));

/** The model: what a sound is, said a second time. */
const OF_SOUND: Readonly<Record<FactName, (sound: TestSound, value: string) => boolean>> = {
  length: ({ seconds = 0 }, value) => {
    const [from = '', to = ''] = value.split('-');
    return seconds > 0 && seconds >= Number(from) && (to === '' || seconds < Number(to));
  },
  tempo: ({ bpm }, value) => {
    const [from = '', to = ''] = value.split('-');
    const isIn = (count: number) => count >= Number(from) && (to === '' || count < Number(to));
    return bpm !== undefined && isIn(bpm);
  },
  key: ({ musicalKey: key }, value) => {
    if (key === undefined) return false;
    const mode = key.endsWith('m') ? 'minor' : 'major';
    return [
      mode,
      `${{ C: 'c', A: 'a', 'F#': 'fs', Bb: 'bb', 'G#': 'gs' }[key.replace('m', '')]}-${mode}`,
    ].includes(value);
  },
  loopable: ({ facts }) => facts?.is_loopable === true,
  vocals: ({ facts }, value) => facts?.has_vocals === { yes: true, no: false }[value],
  mood: ({ facts }, value) => facts?.moods?.some((mood) => mood === value) === true,
  use: ({ facts }, value) =>
    DEFAULT_LICENCE.uses.some((use) => use === value) ||
    facts?.licence_uses?.some((use) => use === value) === true,
  content_id: ({ facts }, value) => facts?.content_id === value,
};
const MUST_HAVE_ALL: ReadonlySet<FactName> = new Set(['mood', 'use'] as const);

function isFound(sound: TestSound, parameter: FactParameter, values: readonly string[]): boolean {
  const name = toFactName(parameter);
  const has = (value: string) => OF_SOUND[name](sound, value);
  if (parameter !== name) return !values.some(has);
  return MUST_HAVE_ALL.has(name) ? values.every(has) : values.some(has);
}

const question = fc.uniqueArray(
  fc.constantFrom(...FACT_PARAMETERS).chain((parameter) =>
    fc.record({
      parameter: fc.constant(parameter),
      values: fc.uniqueArray(fc.constantFrom<string>(...FACT_FILTERS[toFactName(parameter)].values), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  ),
  { selector: ({ parameter }) => parameter, maxLength: 4 },
);
const OTHERS: readonly (readonly [string, (sound: TestSound) => boolean])[] = [
  ['', () => true],
  ['search=雨', ({ title }) => title.startsWith('雨')],
  ['search=-雨', ({ title }) => !title.startsWith('雨')],
  ['is_ai_generated=true', ({ isAi }) => isAi === true],
  ['is_ai_generated=false&search=風', ({ isAi, title }) => isAi !== true && title.startsWith('風')],
];
const ORDERS = ['', 'ordering=-created', 'ordering=-downloads'];

describe.each(bothDatabases)('filters by facts on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let catalogue: TestCatalogue;
  let owner: string;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, SOUNDS);
    owner = catalogue.artistIds.get('音工房') ?? '';
    await insertMany(
      database,
      'favorites',
      [...catalogue.ids.values()].map((_, index) => ({
        user_id: owner,
        sound_seq: index + 1,
        created_at: index,
      })),
    );
  });

  async function list(query: string, userId?: string): Promise<string[]> {
    const { results, count } = await api.json(`/api/sounds/?page_size=100&${query}`, userId);
    const keys = results.map(({ id }: { id: string }) => catalogue.keys.get(id));
    expect(count, query).toBe(keys.length);
    return keys.toSorted();
  }
  /** Each count is that of the listing with the value. */
  async function expectCounts(query: string) {
    // What takes too long is left out, so time stands still.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { results } = await api.json(`/api/sounds/fact-counts/?${query}`).finally(() => time.mockRestore());
    const ofGenres = results.filter((each: { filter: string }) => each.filter === 'sub_genres');
    expect(ofGenres).toHaveLength(catalogue.subGenreIds.size);
    const counted = next() < 0.3 ? ofGenres : results;
    const { filter, value, count } = counted[Math.floor(next() * counted.length)];
    const params = new URLSearchParams(query);
    const isOne = filter === 'is_ai_generated' || (filter !== 'sub_genres' && !MUST_HAVE_ALL.has(filter));
    if (isOne) params.delete(filter);
    if (!params.has(filter, value)) params.append(filter, value);
    const listed = await api.json(`/api/sounds/?${params.toString()}`);
    expect(count, `${filter}=${value} of ${query}`).toBe(listed.count);
  }
  const keysOf = (sounds: readonly TestSound[]) => sounds.map(({ key }) => key).toSorted();

  test('find what a model finds, with each other and with other filters', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        question,
        fc.constantFrom(...OTHERS),
        fc.constantFrom(...ORDERS),
        async (asked, [other, isOther], order) => {
          const facts = asked.flatMap(({ parameter, values }) =>
            values.map((value) => `${parameter}=${value}`),
          );
          const query = [...facts, other, order].filter(Boolean).join('&');
          const expected = SOUNDS.filter((sound) =>
            asked.every(({ parameter, values }) => isFound(sound, parameter, values)),
          ).filter(isOther);
          const visible = expected.filter(({ isPublished }) => isPublished);
          expect(await list(query), query).toEqual(keysOf(visible));
          await expectCounts([...facts, other].filter(Boolean).join('&'));
          const user = `user=${encodeURIComponent('音工房')}`;
          expect(await list(`${query}&${user}&include_private=true`, owner), query).toEqual(keysOf(expected));
          if (other.includes('search')) return;
          expect(await list(`${query}&favorite=true`, owner), query).toEqual(keysOf(expected));
          const ids = SOUNDS.map(({ key }) => `ids=${catalogue.idOf(key)}`).join('&');
          expect(await list(`${query}&${ids}`), query).toEqual(keysOf(visible));
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each([
    'mood=happy',
    'mood=bright&mood=happy',
    '-mood=',
    'length=0-11',
    'loopable=no',
    'key=c',
    '-key=F%23m',
    'content_id=yes',
    'vocals=no&vocals=yes&vocals=no',
  ])('name what is wrong with %s', async (query) => {
    const reply = await api.get(`/api/sounds/?${query}`);
    expect(reply.status).toBe(400);
    const [name = ''] = query.split('=');
    expect(await reply.json()).toEqual({ [name]: expect.stringContaining(`${name} は `) });
  });
});

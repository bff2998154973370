import { describe, expect, it } from 'vitest';
import {
  PAGES_MAX,
  PAGES_SHOWN_MAX,
  changeFilters,
  hasOwnOrdering,
  parseSoundFilters,
  toSoundQuery,
  toSoundsUrl,
  toggleSubGenre,
  limitFilters,
} from '#src/lib/sound-filters.ts';

const parse = (query: string) => parseSoundFilters(new URLSearchParams(query));

describe('filters of /sounds', () => {
  it('round-trip through the URL', () => {
    const query =
      'search=%E9%9B%A8&type=2&sub_genres=4&sub_genres=9&is_ai_generated=false&length=0-10&mood=bright&-mood=sad&ordering=-downloads&page=3&to=5';
    expect(toSoundsUrl(parse(query))).toBe(`/sounds?${query}`);
  });

  it('omit default values from the URL', () => {
    expect(toSoundsUrl(parse(''))).toBe('/sounds');
    expect(toSoundsUrl(parse('page=1&to=1&ordering=-created'))).toBe('/sounds');
    expect(toSoundsUrl(parse('search=rain&ordering=relevance'))).toBe('/sounds?search=rain');
  });

  it.each([
    ['page=-3', 1],
    ['page=0', 1],
    ['page=abc', 1],
    ['page=2.9', 1],
    ['page=2x', 1],
    ['page=%E3%80%80', 1],
    ['page=002', 2],
    ['page=1e9', 1],
    ['page=99999999999999999999', PAGES_MAX],
  ])('turn %s into the nearest valid page', (query, page) => {
    expect(parse(query).page).toBe(page);
  });

  it('drop invalid values', () => {
    const filters = parse(
      `type=%07&sub_genres=1&sub_genres=1&sub_genres=%00&is_ai_generated=maybe&ordering=random`,
    );
    expect(filters).toMatchObject({
      type: null,
      subGenres: ['1'],
      isAiGenerated: null,
      ordering: '-created',
    });
  });

  it('accept ids of any text', () => {
    const filters = parse(`type=${encodeURIComponent('効果音 & <SE>')}&sub_genres=a%2Fb`);
    expect(filters).toMatchObject({ type: '効果音 & <SE>', subGenres: ['a/b'] });
    expect(toSoundsUrl(filters)).toBe(
      '/sounds?type=%E5%8A%B9%E6%9E%9C%E9%9F%B3+%26+%3CSE%3E&sub_genres=a%2Fb',
    );
  });

  it('are those of spec §7 on a host that is not extended', () => {
    const filters = limitFilters(
      parse('search=雨&type=1&sub_genres=2&is_ai_generated=true&mood=calm&ordering=-downloads&page=2'),
      { is_extended: false },
    );
    expect(toSoundsUrl(filters)).toBe('/sounds?search=%E9%9B%A8&type=1&page=2');
    expect(toSoundQuery(filters, 2, false)).toEqual({ page: 2, type: '1' });
  });

  it('have no use that the terms give, and keep one that they exclude', () => {
    const licence = { line: '条件', uses: ['games', 'commercial'] };
    const asked = parse('use=commercial&use=venues&content_id=none&-use=games&-mood=sad');
    expect(toSoundsUrl(limitFilters(asked, { is_extended: true, licence }))).toBe(
      '/sounds?-mood=sad&use=venues&-use=games&content_id=none',
    );
    expect(toSoundsUrl(limitFilters(parse('use=commercial'), { is_extended: true, licence }))).toBe(
      '/sounds',
    );
    expect(limitFilters(asked, { is_extended: true })).toEqual(asked);
  });

  it('truncate a search of ten thousand characters and remove control characters', () => {
    expect(parse(`search=${'あ'.repeat(10_000)}`).search).toHaveLength(100);
    expect(parse(`search=${encodeURIComponent('a\u0000b\u0007 ')}`).search).toBe('a b');
    expect(parse('search=%ED%A0%80').search.isWellFormed()).toBe(true);
    expect(parse(`search=${encodeURIComponent('𠮷'.repeat(99))}`).search.isWellFormed()).toBe(true);
  });

  it('have one address for any order of the sub-genres', () => {
    expect(toSoundsUrl(parse('sub_genres=9&sub_genres=4'))).toBe(
      toSoundsUrl(parse('sub_genres=4&sub_genres=9')),
    );
  });

  it('show a bounded number of pages at once', () => {
    expect(parse('page=2&to=90').lastPage).toBe(2 + PAGES_SHOWN_MAX - 1);
    expect(parse('page=5&to=2').lastPage).toBe(5);
    expect(parse('to=5.123').lastPage).toBe(1);
  });

  it('return to the first page when one changes', () => {
    expect(changeFilters(parse('page=4&to=6'), { type: '1' })).toMatchObject({
      page: 1,
      lastPage: 1,
      type: '1',
    });
  });

  it('sort a new search by relevance, and keep a chosen order', () => {
    expect(changeFilters(parse(''), { search: '雨' }).ordering).toBe('relevance');
    expect(changeFilters(parse('search=雨'), { search: '' }).ordering).toBe('-created');
    expect(changeFilters(parse('ordering=-downloads'), { search: '雨' }).ordering).toBe('-downloads');
    expect(changeFilters(parse('search=雨&ordering=-favorites'), { search: '' }).ordering).toBe('-favorites');
  });

  it('send only the chosen values to the API', () => {
    expect(toSoundQuery(parse('search=雨'), 1, true)).toEqual({
      page: 1,
      search: '雨',
      ordering: 'relevance',
    });
    expect(toSoundQuery(parse('is_ai_generated=false'), 3, true)).toEqual({
      page: 3,
      is_ai_generated: false,
      ordering: '-created',
    });
  });

  it('toggle a sub-genre on and off (spec §4)', () => {
    expect(toggleSubGenre(['1'], '2')).toEqual(['1', '2']);
    expect(toggleSubGenre(['1', '2'], '1')).toEqual(['2']);
  });

  it('distinguish a chosen order from the default one', () => {
    expect(hasOwnOrdering(parse('search=雨'))).toBe(false);
    expect(hasOwnOrdering(parse('search=雨&ordering=-created'))).toBe(true);
    expect(hasOwnOrdering(parse('ordering=-downloads'))).toBe(true);
  });
});

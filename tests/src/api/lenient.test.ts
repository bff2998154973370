import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { GenreSchema, SoundTypeSchema, listGenres } from '#contract/sounds/genres.ts';
import { SiteConfigSchema, listPages } from '#contract/site/site.ts';
import { SoundListSchema, SoundSchema } from '#contract/sounds/sounds.ts';
import { CountSchema, FileUrlSchema, FlagSchema, TextSchema } from '#contract/calls/wire.ts';
import { lenient } from '#src/api/lenient.ts';

describe('replies of other hosts', () => {
  it.each([
    ['text', 'text'],
    [1_234_567, '1234567'],
    [null, ''],
    [undefined, ''],
    [true, ''],
    [['text'], ''],
    [' text ', ' text '],
    ['  \n\u3000', ''],
    ['\u200b', ''],
    ['\u3164\u2800 \ufeff', ''],
    ['❤️', '❤️'],
  ])('a text that comes as %j is %j', (value, text) => {
    expect(v.parse(lenient(TextSchema), value)).toBe(text);
  });

  it.each([
    [true, true],
    [1, true],
    [0, false],
    ['true', true],
    ['False', false],
    ['1', true],
    ['0', false],
    ['perhaps', false],
    [{}, false],
    [null, false],
    [undefined, false],
  ])('a flag that comes as %j is %j', (value, flag) => {
    expect(v.parse(lenient(FlagSchema), value)).toBe(flag);
  });

  it.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    [null, true],
    [undefined, true],
  ])('a sound that is_published %j is published: %j', (is_published, isPublished) => {
    expect(v.parse(lenient(SoundSchema), { id: 1, is_published }).is_published).toBe(isPublished);
  });

  it.each([
    [3, 3],
    ['3', 3],
    [' 12 ', 12],
    ['', 0],
    ['many', 0],
    [null, 0],
    [undefined, 0],
    [[4], 0],
  ])('a count that comes as %j is %j', (value, count) => {
    expect(v.parse(lenient(CountSchema), value)).toBe(count);
  });

  it.each([
    ['/media/1.png', '/media/1.png'],
    ['https://files.example/1.png', 'https://files.example/1.png'],
    ['//files.example/1.png', '//files.example/1.png'],
    ['http://[broken', null],
    ['//[broken', null],
    ['/\\[broken', null],
    ['/\t/[broken', null],
    ['javascript:alert(1)', null],
    [7, null],
    ['', null],
    [null, null],
  ])('an address that comes as %j is %j', (value, url) => {
    expect(v.parse(lenient(FileUrlSchema), value)).toBe(url);
  });

  it.each([
    [1, true],
    ['1', true],
    ['false', false],
    [0, false],
    [null, true],
    [undefined, true],
    ['', true],
    ['odd', true],
  ])('allow_register as %j allows registration: %j', (allow_register, isAllowed) => {
    expect(v.parse(lenient(SiteConfigSchema), { allow_register }).allow_register).toBe(isAllowed);
  });

  it('announcements are absent unless all of them can be shown, with links that lead to a page', () => {
    const announcement = { id: 'a', version: 1, text: '告知', link: null, audience: 'everyone' };
    const read = (change: object) =>
      v.parse(lenient(SiteConfigSchema), { announcements: [{ ...announcement, ...change }] }).announcements;
    for (const link of [null, '/sounds?search=a', 'https://example.test/'])
      expect(read({ link })).toHaveLength(1);
    for (const link of [
      'javascript:alert(1)',
      '//example.test',
      '/\\example.test',
      '/\t/example.test',
      'data:,',
    ])
      expect(read({ link }), link).toBeUndefined();
    expect(read({ audience: 'staff' })).toBeUndefined();
    expect(v.parse(lenient(SiteConfigSchema), {}).announcements).toBeUndefined();
  });

  it('drops unreadable entries and reports each of them', () => {
    const dropped: unknown[] = [];
    const parse = (entries: unknown) => {
      return v.parse(
        lenient(listPages.reply, (issue) => dropped.push(issue?.message)),
        entries,
      );
    };
    expect(parse([{ title: 'No slug', order: 1 }, { slug: 'a', order: '2' }, null])).toEqual([
      { slug: 'a', title: '', order: 2 },
    ]);
    expect(dropped).toHaveLength(2);
    expect(parse('no list')).toEqual([]);
    expect(dropped).toHaveLength(3);
    expect(parse(null)).toEqual([]);
    expect(dropped).toHaveLength(3);
  });

  it('drops entries of lists within lists', () => {
    const genres = [{ id: 1, name: 'Mood', sub_genres: [{ name: 'No id' }, { id: 2, name: 'Calm' }] }];
    expect(v.parse(lenient(listGenres.reply), genres)).toEqual([
      { id: '1', name: 'Mood', sub_genres: [{ id: '2', name: 'Calm' }] },
    ]);
  });

  it('reads a list that is sent as a page of results', () => {
    expect(v.parse(lenient(listPages.reply), { count: 1, results: [{ slug: 'a' }] })).toHaveLength(1);
  });

  it('keeps the other sounds when one has no id', () => {
    const { results } = v.parse(lenient(SoundListSchema), {
      results: [{ title: 'A' }, { id: '', title: 'B' }, { id: 3 }],
    });
    expect(results.map(({ id }) => id)).toEqual(['3']);
  });

  it('names of types and genres can be missing or consist of digits', () => {
    expect(v.parse(lenient(SoundTypeSchema), { id: 1, name: null })).toMatchObject({ name: '' });
    expect(v.parse(lenient(GenreSchema), { id: 1, name: 80, sub_genres: [{ id: 2, name: 1980 }] })).toEqual({
      id: '1',
      name: '80',
      sub_genres: [{ id: '2', name: '1980' }],
    });
  });
});

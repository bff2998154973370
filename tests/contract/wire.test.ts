import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { GenreSchema, SoundTypeSchema } from '../../contract/genres.ts';
import { SoundSchema } from '../../contract/sounds.ts';
import { FlagSchema, TextSchema } from '../../contract/wire.ts';

describe('what hosts write in their own way', () => {
  it.each([
    ['text', 'text'],
    [1_234_567, '1234567'],
    [null, ''],
    [undefined, ''],
  ])('a text that comes as %j is %j', (value, text) => {
    expect(v.parse(TextSchema, value)).toBe(text);
  });

  it.each([
    [true, true],
    [1, true],
    [0, false],
    [null, false],
    [undefined, false],
  ])('a flag that comes as %j is %j', (value, flag) => {
    expect(v.parse(FlagSchema, value)).toBe(flag);
  });

  it.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    [null, true],
    [undefined, true],
  ])('a sound that is_published %j is published: %j', (is_published, isPublished) => {
    expect(v.parse(SoundSchema, { id: 1, is_published }).is_published).toBe(isPublished);
  });

  it('names of types and genres may be missing, or made of digits', () => {
    expect(v.parse(SoundTypeSchema, { id: 1, name: null })).toMatchObject({ name: '' });
    expect(v.parse(GenreSchema, { id: 1, name: 80, sub_genres: [{ id: 2, name: 1980 }] })).toEqual({
      id: '1',
      name: '80',
      sub_genres: [{ id: '2', name: '1980' }],
    });
  });
});

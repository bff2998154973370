import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
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
});

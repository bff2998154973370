import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_NUMBER_SHOWN, PHONE_NUMBER_SHOWN, maskAll, maskAllButLast } from '#contract/values/masks.ts';

describe('masks (spec §5)', () => {
  it.each([
    ['普通', '**'],
    ['𠮷', '*'],
    ['', ''],
  ])('hide all of %s', (text, masked) => {
    expect(maskAll(text)).toBe(masked);
  });

  it.each([
    ['1234567', ACCOUNT_NUMBER_SHOWN, '****567'],
    ['123', ACCOUNT_NUMBER_SHOWN, '123'],
    ['12', ACCOUNT_NUMBER_SHOWN, '12'],
    ['090-1234-5678', PHONE_NUMBER_SHOWN, '*********5678'],
    ['', PHONE_NUMBER_SHOWN, ''],
    ['𠮷野家', 2, '*野家'],
  ])('of %s show the last %i characters', (text, shown, masked) => {
    expect(maskAllButLast(text, shown)).toBe(masked);
  });

  it('reveal only the length and the visible characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '1', '𠮷'), { maxLength: 20 }),
        fc.nat(8),
        (letters, shown) => {
          const masked = [...maskAllButLast(letters.join(''), shown)];
          const hidden = Math.max(0, letters.length - shown);
          expect(masked.slice(0, hidden)).toEqual(Array(hidden).fill('*'));
          expect(masked.slice(hidden)).toEqual(letters.slice(hidden));
        },
      ),
    );
  });
});

import { expect, it } from 'vitest';
import { chooseLength } from '#src/lib/choose-length.ts';

it('the length of a file that plays is the host’s unless the host has none or another file', () => {
  expect(chooseLength(23.02, 22.97)).toBe(23.02);
  expect(chooseLength(23.02, Number.NaN)).toBe(23.02);
  expect(chooseLength(23.02, Number.POSITIVE_INFINITY)).toBe(23.02);
  expect(chooseLength(0, 0.4)).toBe(0.4);
  expect(chooseLength(23.02, 40)).toBe(40);
});

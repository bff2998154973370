import { expect, test } from 'vitest';
import { fuzz } from '#support/fuzzing/fuzz.ts';
import { TARGETS } from './examples.ts';

const BUDGET = { seed: 1, runs: 6_000, seconds: Infinity };

test.each([
  ['an error of the language behind three nested checks', 'TypeError: Cannot read properties'],
  ['much work for a long input', 'ms of processor time'],
  ['a long result', 'bytes, more than'],
  ['an error in a later callback', 'Error: too late'],
])('%s is found', async (name, what) => {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) throw new Error(`no example ${name}`);
  const { faults } = await fuzz(new URL('./examples.ts', import.meta.url), target, BUDGET);
  expect(faults.map((fault) => fault.what)).toEqual([expect.stringContaining(what)]);
});

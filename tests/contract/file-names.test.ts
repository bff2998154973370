import { expect, it } from 'vitest';
import { cutFileName } from '#contract/quality-check.ts';

it('a displayed name is cut to 30 characters (spec §9) and marked as cut', () => {
  expect(cutFileName('𠮷'.repeat(30))).toBe('𠮷'.repeat(30));
  expect(cutFileName('𠮷'.repeat(31))).toBe(`${'𠮷'.repeat(30)}…`);
});

it('a name from macOS, where が is two characters, is cut like any other', () => {
  expect(cutFileName('が'.repeat(30).normalize('NFD'))).toBe('が'.repeat(30));
  expect(cutFileName('が'.repeat(31).normalize('NFD'))).toBe(`${'が'.repeat(30)}…`);
});

import { expect, it } from 'vitest';
import { cutFileName } from '../../contract/quality-check.ts';

it('a displayed name is cut to 30 characters (spec §9), with a sign that there were more', () => {
  expect(cutFileName('𠮷'.repeat(30))).toBe('𠮷'.repeat(30));
  expect(cutFileName('𠮷'.repeat(31))).toBe(`${'𠮷'.repeat(30)}…`);
});

it('a name from macOS, where が is two characters, is cut as any other', () => {
  expect(cutFileName('が'.repeat(30).normalize('NFD'))).toBe('が'.repeat(30));
  expect(cutFileName('が'.repeat(31).normalize('NFD'))).toBe(`${'が'.repeat(30)}…`);
});

import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMissingCalls, findMissingStyles } from '../browser/pages/browser-support.ts';

const STYLES = resolve(import.meta.dirname, '../../src/styles');

describe('the check for the oldest supported browsers', () => {
  it.each([
    ['const { promise } = Promise.withResolvers();', ['Promise.withResolvers']],
    ['new Set(one).union(other)', ['.union']],
    ['fetch(url, { signal: AbortSignal.any([one, other]) })', ['AbortSignal.any']],
    ['scheduler.yield(); new Observable(() => {})', ['.yield', 'Observable']],
    ['[3, 1].toSorted(); structuredClone(1); element.showPopover(); new Intl.Segmenter()', []],
    ['Promise.withResolvers?.(); navigator.share?.(data)', []],
  ])('finds in `%s`: %j', (code, missing) => {
    expect([...findMissingCalls(code)]).toEqual(missing);
  });

  it.each([
    ['a { color: light-dark(red, blue) }', ['light-dark()']],
    ['details:open { color: red }', [':open']],
    ['@scope (.a) { b { color: red } }', ['@scope']],
    ['@media (width < 1px) { a:has(b) { color: oklch(0 0 0); field-sizing: content } }', []],
  ])('finds in `%s`: %j', (css, missing) => {
    expect([...findMissingStyles(css)]).toEqual(missing);
  });
});

it('the oldest supported browsers understand the style sheets', () => {
  const sheets = readdirSync(STYLES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(20);
  const found = sheets.flatMap((name) =>
    [...findMissingStyles(readFileSync(join(STYLES, name), 'utf8'))].map((missing) => `${name}: ${missing}`),
  );
  // Within `@supports`.
  expect(found).toEqual(['listing.css: ::details-content']);
});

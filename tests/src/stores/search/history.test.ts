// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { parseSoundFilters } from '#src/lib/sound-filters.ts';
import { pushListingUrl } from '#src/stores/search/history.ts';

const rain = parseSoundFilters(new URLSearchParams('search=雨'));

it.each([
  ['before the router has come', null, 0],
  ['where the router has been', { index: 3, scrollX: 0, scrollY: 0 }, 3],
])('an entry for a search follows one that the router knows, %s', (_, state, index) => {
  history.replaceState(state, '', '/sounds');
  const kept = vi.spyOn(history, 'replaceState');
  expect(pushListingUrl(rain)).toBe(true);
  expect(kept).toHaveBeenLastCalledWith({ index, scrollX: 0, scrollY: 0 }, '');
  expect(history.state).toMatchObject({ index: index + 1 });
  kept.mockRestore();
});

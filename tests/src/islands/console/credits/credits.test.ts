// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import type { Credit, HeldGroup } from '#contract/operator/credits.ts';
import { STAFF, callApi, showToast, useStores } from '../../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import {
  decideCredits,
  decideGroups,
  groups,
  openCredits,
  openGroup,
} from '#src/islands/console/credits/credits.ts';

const toGroup = (day: number): HeldGroup => ({
  artist_id: 'a',
  username: '音の人',
  day,
  credits: 1,
  yen: 2,
  newest_at: 0,
  reasons: [],
  obstacle: '',
});
const toCredit = (id: string) => ({ id, yen: 2 }) as Credit;
const reply = (results: readonly unknown[], has_more = false) => ({ results, has_more });
const listDays = () => groups.$list.get().items.map(({ day }) => day);

useStores({ member: STAFF });

it('reads both lists again after a decision', async () => {
  callApi.mockResolvedValueOnce(reply([toGroup(1), toGroup(2)]));
  await groups.load();
  callApi.mockResolvedValueOnce(reply([toCredit('c'), toCredit('d')]));
  await openGroup(toGroup(1), 'held');
  callApi.mockResolvedValueOnce({}).mockResolvedValueOnce(reply([toGroup(2)]));
  callApi.mockResolvedValueOnce(reply([toCredit('d')]));
  expect(await decideCredits([toCredit('c')], 'approve', '')).toBe(true);
  expect(listDays()).toEqual([2]);
  expect(openCredits.$list.get().items).toEqual([toCredit('d')]);
});

it('asks for the groups after the last one', async () => {
  callApi.mockResolvedValueOnce(reply([toGroup(1), toGroup(2)], true));
  await groups.load();
  callApi.mockResolvedValueOnce(reply([toGroup(3)]));
  await groups.more();
  expect(listDays()).toEqual([1, 2, 3]);
  expect(callApi.mock.lastCall?.[1]).toMatchObject({ query: { after_day: 2, after_artist: 'a' } });
});

it('tells what was decided of a group when the rest fails', async () => {
  callApi.mockResolvedValueOnce({ credits: 200, yen: 400, remaining: 5 });
  callApi.mockRejectedValueOnce(new ApiError(404, [{ key: 'detail', message: 'ありません。' }]));
  expect(await decideGroups([toGroup(1)], 'reject', '理由')).toBe(true);
  expect(showToast.mock.calls).toEqual([
    ['error', 'ありません。'],
    ['success', '200件、¥400を却下しました'],
  ]);
});

it('goes on after what others have decided, and stops where it cannot', async () => {
  callApi.mockRejectedValueOnce(new ApiError(409, [{ key: 'detail', message: '決まっています。' }]));
  callApi.mockResolvedValueOnce({});
  callApi.mockRejectedValueOnce(new ApiError(503, [{ key: 'detail', message: '混み合っています。' }]));
  const chosen = ['c', 'd', 'e', 'f'].map(toCredit);
  expect(await decideCredits(chosen, 'reject', '理由')).toBe(false);
  const asked = callApi.mock.calls.map(([, options]) => (options as { params?: { id: string } }).params?.id);
  expect(asked.filter(Boolean)).toEqual(['c', 'd', 'e']);
  expect(showToast.mock.calls.at(-1)).toEqual(['success', '1件、¥2を却下しました']);
});

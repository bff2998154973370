// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { Credit, HeldGroup } from '#contract/operator/credits.ts';
import { STAFF, callApi, holdCall, useStores } from '../../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast: () => undefined }));

import {
  $groups,
  $openGroup,
  closeGroup,
  decideOne,
  loadGroups,
  openGroup,
} from '../../../../../src/islands/console/credits/credits.ts';

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
const listDays = () => $groups.get().items.map(({ day }) => day);
const listCredits = () => $openGroup.get()?.items.map(({ id }) => id);

useStores({ member: STAFF });

it('shows the groups that were read after a decision, whatever arrives late', async () => {
  callApi.mockResolvedValueOnce(reply([toGroup(1), toGroup(2)], true));
  await loadGroups();
  const { answer } = holdCall();
  const more = loadGroups(true);
  callApi.mockResolvedValueOnce({}).mockResolvedValueOnce(reply([toGroup(2), toGroup(3)]));
  await decideOne(toCredit('c'), 'approve', '');
  answer(reply([toGroup(3)]));
  await more;
  expect(listDays()).toEqual([2, 3]);
});

it('shows the credits of the group that was opened last', async () => {
  const { answer } = holdCall();
  const first = openGroup(toGroup(1));
  callApi.mockResolvedValueOnce(reply([toCredit('second')]));
  await openGroup(toGroup(2));
  answer(reply([toCredit('first')]));
  await first;
  expect(listCredits()).toEqual(['second']);
  const late = holdCall();
  const again = openGroup(toGroup(1));
  closeGroup();
  late.answer(reply([]));
  await again;
  expect($openGroup.get()).toBeNull();
});

it('offers more while more is read, asks once, and asks for the same page after a failure', async () => {
  const group = toGroup(1);
  callApi.mockResolvedValueOnce(reply([toCredit('a')], true));
  await openGroup(group);
  const { refuse } = holdCall();
  const more = openGroup(group, 'held', true);
  await openGroup(group, 'held', true);
  expect(callApi).toHaveBeenCalledTimes(2);
  expect($openGroup.get()).toMatchObject({ state: 'loading', hasMore: true });
  refuse(new Error('no connection'));
  await more;
  expect($openGroup.get()).toMatchObject({ state: 'failed', isMore: true, hasMore: true });
  expect(listCredits()).toEqual(['a']);
  callApi.mockResolvedValueOnce(reply([toCredit('b')]));
  await openGroup(group, 'held', true);
  expect(listCredits()).toEqual(['a', 'b']);
  expect(callApi).toHaveBeenLastCalledWith(
    expect.anything(),
    expect.objectContaining({ query: expect.objectContaining({ page: 2 }) as unknown }),
  );
});

// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { HeldGroup } from '#contract/operator/credits.ts';
import { STAFF, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

import {
  $actionList,
  $groups,
  $memberPage,
  $memberSearch,
  $openGroup,
  $openedReport,
  $reportQueue,
  $security,
  loadGroups,
  openGroup,
  openMember,
  openStaffReport,
  readSecurity,
  reviewDesk,
  searchActions,
  searchMembers,
  showReports,
} from '#src/stores/console/console.ts';
import { forgetSession } from '#src/stores/session/session.ts';

useStores({ member: STAFF });

it.each([
  ['$actionList', $actionList, () => searchActions('a')],
  ['$groups', $groups, () => loadGroups()],
  ['$memberPage', $memberPage, () => openMember('a')],
  ['$memberSearch', $memberSearch, () => searchMembers('a')],
  ['$openGroup', $openGroup, () => openGroup({ artist_id: 'a', day: 1 } as HeldGroup)],
  ['$openedReport', $openedReport, () => openStaffReport('a')],
  ['$reportQueue', $reportQueue, () => showReports('open')],
  ['$security', $security, readSecurity],
  ['the desk', reviewDesk.$desk, () => reviewDesk.open()],
])('%s shows a failure, unless the member has logged out', async (_, $store, read) => {
  const initial = $store.get();
  callApi.mockRejectedValueOnce(new Error('no connection'));
  await read();
  expect(JSON.stringify($store.get())).toContain('"failed"');
  const { refuse } = holdCall();
  const reading = read();
  await expect.poll(() => callApi.mock.calls.length).toBe(2);
  forgetSession();
  refuse(new Error('cancelled'));
  await reading;
  expect($store.get()).toBe(initial);
});

// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { HeldGroup } from '#contract/operator/credits.ts';
import { STAFF, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

import { $actionList, searchActions } from '../../../../src/islands/console/actions/actions.ts';
import {
  $groups,
  $openGroup,
  loadGroups,
  openGroup,
} from '../../../../src/islands/console/credits/credits.ts';
import {
  $memberPage,
  $memberSearch,
  openMember,
  searchMembers,
} from '../../../../src/islands/console/members/members.ts';
import {
  $openedReport,
  $reportQueue,
  openStaffReport,
  showReports,
} from '../../../../src/islands/console/reports/reports.ts';
import { $security, readSecurity } from '../../../../src/islands/console/security/security.ts';
import { reviewDesk } from '../../../../src/islands/console/review/review.ts';
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

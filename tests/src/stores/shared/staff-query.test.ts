// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { STAFF, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

import { $labels } from '#src/islands/console/labels/labels.ts';
import { $notices } from '#src/islands/console/notices/notices.ts';
import { $operatorSite } from '#src/islands/console/site/site.ts';
import { $overview } from '#src/islands/console/overview/overview.ts';
import { $pages } from '#src/islands/console/pages/pages.ts';
import { $payouts } from '#src/islands/console/payouts/payouts.ts';
import { $openedReport, openStaffReport } from '#src/islands/console/reports/reports.ts';
import { $security } from '#src/islands/console/security/security.ts';

const FIRST = { results: [] };
const failure = new Error('no connection');

let stop: () => void = () => undefined;
useStores({ member: STAFF });
beforeEach(() => void callApi.mockResolvedValue(FIRST));
afterEach(() => stop());

describe.each([
  ['$labels', $labels],
  ['$notices', $notices],
  ['$operatorSite', $operatorSite],
  ['$overview', $overview],
  ['$pages', $pages],
  ['$payouts', $payouts],
  ['$security', $security],
])('%s', (_, $query) => {
  it('keeps its data while it is read again, and after a failure', async () => {
    const seen: unknown[] = [];
    stop = $query.subscribe(({ data }) => seen.push(data));
    await expect.poll(() => $query.get()).toMatchObject({ loading: false, data: expect.anything() });
    const { data } = $query.get();
    seen.length = 0;
    callApi.mockRejectedValue(failure);
    $query.revalidate();
    expect($query.get()).toMatchObject({ loading: true, data });
    await expect.poll(() => $query.get()).toMatchObject({ loading: false, data, error: failure });
    expect(new Set(seen)).toEqual(new Set([data]));
  });

  it('is read again on the next visit', async () => {
    stop = $query.subscribe(() => undefined);
    await expect.poll(() => $query.get().data).toBeDefined();
    stop();
    // Stores stop a second after the last listener.
    vi.useFakeTimers();
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(callApi).toHaveBeenCalledTimes(1);
    stop = $query.subscribe(() => undefined);
    await expect.poll(() => callApi.mock.calls.length).toBe(2);
  });
});

it('shows what was opened last, and nothing while nothing is open', async () => {
  const first = holdCall();
  stop = $openedReport.subscribe(() => undefined);
  expect(callApi).not.toHaveBeenCalled();
  openStaffReport('a');
  await expect.poll(() => callApi.mock.calls.length).toBe(1);
  callApi.mockResolvedValueOnce({ id: 'b' });
  openStaffReport('b');
  await expect.poll(() => $openedReport.get().data).toEqual({ id: 'b' });
  first.answer({ id: 'a' });
  await new Promise((done) => setTimeout(done, 5));
  expect($openedReport.get().data).toEqual({ id: 'b' });
  openStaffReport(null);
  await expect.poll(() => $openedReport.get().data).toBeUndefined();
});

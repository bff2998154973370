// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { MEMBER, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

import {
  $statisticsView,
  chooseStatistics,
  openStatistics,
  reloadStatistics,
} from '#src/stores/statistics/statistics.ts';
import { forgetSession, rememberUser } from '#src/stores/session/session.ts';

const view = () => $statisticsView.get();
const ready = (statistics: string) =>
  vi.waitFor(() => expect(view()).toEqual({ state: 'ready', statistics }));
const asked = () => callApi.mock.calls.map(([, { query }]) => query);

let stop: () => void;
useStores({ member: MEMBER });
beforeEach(() => {
  history.replaceState(null, '', '/profile/statistics');
  stop = $statisticsView.listen(() => undefined);
});
afterEach(() => stop());

describe('the statistics of a member', () => {
  it('stay while the next choice loads, and are not shown in place of a failure', async () => {
    callApi.mockResolvedValueOnce('days');
    openStatistics();
    expect(view()).toEqual({ state: 'loading', statistics: null });
    await ready('days');
    const { refuse } = holdCall();
    chooseStatistics({ span: 'year' });
    expect(view()).toEqual({ state: 'loading', statistics: 'days' });
    await vi.waitFor(() => expect(asked()).toMatchObject([{ span: 'days' }, { span: 'year' }]));
    expect(view()).toEqual({ state: 'loading', statistics: 'days' });
    refuse(new ApiError(503, []));
    await vi.waitFor(() => expect(view()).toEqual({ state: 'failed', error: new ApiError(503, []) }));
    callApi.mockResolvedValueOnce('year');
    reloadStatistics();
    expect(view()).toEqual({ state: 'loading', statistics: 'days' });
    await ready('year');
  });

  it('are not shown to the next member', async () => {
    callApi.mockResolvedValueOnce('first');
    openStatistics();
    await ready('first');
    forgetSession();
    expect(view()).toEqual({ state: 'loading', statistics: null });
    const { answer } = holdCall();
    rememberUser({ ...MEMBER, id: '2' });
    openStatistics();
    expect(view()).toEqual({ state: 'loading', statistics: null });
    await vi.waitFor(() => expect(asked()).toHaveLength(2));
    expect(view()).toEqual({ state: 'loading', statistics: null });
    answer('second');
    await ready('second');
  });
});

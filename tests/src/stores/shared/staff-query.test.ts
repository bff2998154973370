// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const { callApi } = vi.hoisted(() => ({ callApi: vi.fn<() => Promise<unknown>>() }));
vi.mock('#src/api/browser.ts', () => ({ callApi }));

import {
  $labels,
  $notices,
  $operatorSite,
  $overview,
  $pages,
  $payouts,
} from '#src/stores/console/console.ts';
import { forgetSession, rememberUser } from '#src/stores/session/session.ts';

const USER = { id: '1', username: '運営', email: 'staff@example.test', profile_picture: null };
const FIRST = { results: [] };
const failure = new Error('no connection');

let stop: () => void = () => undefined;
beforeEach(() => {
  rememberUser(USER);
  callApi.mockReset().mockResolvedValue(FIRST);
});
afterEach(() => {
  stop();
  forgetSession();
});

describe.each([
  ['$labels', $labels],
  ['$notices', $notices],
  ['$operatorSite', $operatorSite],
  ['$overview', $overview],
  ['$pages', $pages],
  ['$payouts', $payouts],
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

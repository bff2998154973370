// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MEMBER, callApi, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

const PENDING = { ...MEMBER, status: 'pending', is_verified: false };
const VERIFIED = { ...MEMBER, status: '', is_verified: true };
const REJECTED = { ...MEMBER, status: '', is_verified: false, quality_check: { state: 'rejected' } };
const HOUR_MS = 3_600_000;
let stop: (() => void) | undefined;
let isHidden = false;

async function open(profile: object = PENDING) {
  vi.resetModules();
  callApi.mockResolvedValue(profile);
  const { followProfile } = await import('#src/stores/profile/following.ts');
  const { $profile, changeProfile } = await import('#src/stores/profile/profile.ts');
  const { forgetSession } = await import('#src/stores/session/session.ts');
  stop = followProfile();
  await settle();
  expect($profile.get().data).toEqual(profile);
  callApi.mockClear();
  return { $profile, changeProfile, forgetSession };
}
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
function look(hidden: boolean): void {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

async function returnAfterAnHour(): Promise<void> {
  look(true);
  await settle(HOUR_MS);
  look(false);
  await settle();
}

useStores({ stored: MEMBER, clock: true });
beforeEach(() => {
  isHidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
});
afterEach(() => {
  stop?.();
  vi.restoreAllMocks();
});

describe('a pending quality check', () => {
  it('is polled less and less often, at most twenty times in the first hour', async () => {
    await open();
    await settle(14_999);
    expect(callApi).not.toHaveBeenCalled();
    await settle(1);
    expect(callApi).toHaveBeenCalledTimes(1);
    await settle(29_999);
    expect(callApi).toHaveBeenCalledTimes(1);
    await settle(1);
    expect(callApi).toHaveBeenCalledTimes(2);
    await settle(HOUR_MS);
    expect(callApi.mock.calls.length).toBeGreaterThan(10);
    expect(callApi.mock.calls.length).toBeLessThanOrEqual(20);
  });

  it('that is passed is announced once, without a reload, and no longer polled', async () => {
    const { $profile } = await open();
    callApi.mockResolvedValue(VERIFIED);
    await settle(15_000);
    expect($profile.get().data).toEqual(VERIFIED);
    expect(showToast.mock.calls).toEqual([['success', expect.stringContaining('合格しました')]]);
    await settle(HOUR_MS);
    expect([callApi.mock.calls.length, showToast.mock.calls.length]).toEqual([1, 1]);
  });

  it('that is not passed is announced as such', async () => {
    await open();
    callApi.mockResolvedValue(REJECTED);
    await settle(15_000);
    expect(showToast.mock.calls).toEqual([['error', expect.stringContaining('合格になりませんでした')]]);
  });

  it('is also polled when the application is made on this page', async () => {
    const { changeProfile } = await open(REJECTED);
    await settle(HOUR_MS);
    expect(callApi).not.toHaveBeenCalled();
    callApi.mockResolvedValue(PENDING);
    changeProfile({ status: 'pending' });
    await settle(15_000);
    expect(callApi).toHaveBeenCalledOnce();
    expect(showToast).not.toHaveBeenCalled();
  });

  it('is not polled in a hidden tab, and is at once on return to it', async () => {
    await open();
    look(true);
    await settle(HOUR_MS);
    expect(callApi).not.toHaveBeenCalled();
    callApi.mockResolvedValue(VERIFIED);
    look(false);
    await settle();
    expect(callApi).toHaveBeenCalledOnce();
    expect(showToast).toHaveBeenCalledOnce();
  });

  it('is polled at most once in fifteen seconds when tabs are switched back and forth', async () => {
    await open();
    for (let time = 0; time < 30; time++) {
      look(true);
      await settle(500);
      look(false);
      await settle(500);
    }
    expect(callApi.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('is not polled once the page is left', async () => {
    await open();
    stop?.();
    await settle(HOUR_MS);
    expect(callApi).not.toHaveBeenCalled();
  });

  it('is not polled after a log-out', async () => {
    const { forgetSession } = await open();
    localStorage.removeItem('token');
    forgetSession();
    await settle(HOUR_MS);
    look(true);
    look(false);
    await settle();
    expect(callApi).not.toHaveBeenCalled();
    expect(showToast).not.toHaveBeenCalled();
  });

  it('is polled again after a failure', async () => {
    const { $profile } = await open();
    const { ApiError } = await import('#contract/calls/errors.ts');
    callApi.mockRejectedValueOnce(new ApiError(503, []));
    await settle(15_000);
    callApi.mockResolvedValue(VERIFIED);
    await settle(30_000);
    expect($profile.get().data).toEqual(VERIFIED);
    expect(showToast).toHaveBeenCalledOnce();
  });
});

describe('on return to the tab', () => {
  it.each<[string, number, object]>([
    ['an ID that is pending is polled', 1, { personal_info_status: 'pending' }],
    [
      'a payout that is pending is polled',
      1,
      { transfer_request: { amount: 3_000, requested_at: '2026-10-01' } },
    ],
    ['a new address that is pending is polled', 1, { pending_email: 'new@example.test' }],
    ['nothing is requested where nothing is pending', 0, {}],
  ])('%s', async (_, times, waiting) => {
    await open({ ...VERIFIED, ...waiting });
    await returnAfterAnHour();
    expect(callApi).toHaveBeenCalledTimes(times);
  });
});

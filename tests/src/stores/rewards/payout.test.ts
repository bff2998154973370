// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { requestPayout } from '#contract/payouts/payouts.ts';
import { callApi, holdCall, reloadProfile, setExtended, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/profile/profile.ts', () => ({ reloadProfile }));

import { createPayout } from '#src/stores/rewards/payout.ts';

const EMAIL = 'a@example.test';
const keys = () => callApi.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);

/** A dialog whose request waits for an answer. */
function sendAndWait() {
  const { answer, refuse } = holdCall();
  const payout = createPayout();
  payout.open();
  const sending = payout.send(EMAIL);
  return { payout, sending, answer, refuse };
}

/** A dialog whose request has been accepted, or refused with an error. */
async function openAndSend(error?: Error) {
  if (error) callApi.mockRejectedValueOnce(error);
  const payout = createPayout();
  payout.open();
  await payout.send(EMAIL);
  return payout;
}

useStores({ isExtended: true, clock: true });
beforeEach(() => void callApi.mockResolvedValue({}));

describe('the payout dialog', () => {
  it('is closed at first, opens, and closes', () => {
    const { $payout, open, close } = createPayout();
    expect($payout.get()).toEqual({ state: 'closed' });
    open();
    expect($payout.get()).toEqual({ state: 'open', reasons: [] });
    expect(close()).toBe(true);
    expect($payout.get()).toEqual({ state: 'closed' });
    expect(callApi).not.toHaveBeenCalled();
  });

  it('sends no idempotency key to a host without support for it', async () => {
    setExtended(false);
    await openAndSend();
    expect(callApi.mock.calls).toEqual([[requestPayout, { body: { email: EMAIL } }]]);
  });

  it('sends nothing while it is closed', async () => {
    await createPayout().send(EMAIL);
    expect(callApi).not.toHaveBeenCalled();
  });

  it('requests nothing without an address, and says what is missing', async () => {
    const payout = createPayout();
    payout.open();
    await payout.send('');
    expect(callApi).not.toHaveBeenCalled();
    expect(payout.$payout.get()).toEqual({
      state: 'open',
      reasons: ['先に、メールアドレスを登録してください。'],
    });
  });

  it('requests with the member’s own address', async () => {
    await openAndSend();
    expect(callApi.mock.calls).toEqual([
      [requestPayout, { body: { email: EMAIL }, idempotencyKey: expect.stringMatching(/^\d+-\d+$/) }],
    ]);
  });

  it('stays open while it is being sent, whatever is pressed, and sends once', async () => {
    const { payout, sending, answer } = sendAndWait();
    expect(payout.$payout.get()).toEqual({ state: 'sending' });
    expect(payout.close()).toBe(false);
    payout.open();
    await payout.send(EMAIL);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(payout.$payout.get()).toEqual({ state: 'sending' });
    answer();
    await sending;
    expect(callApi).toHaveBeenCalledOnce();
  });

  it('shows success for 3 s, then closes, and reloads the profile', async () => {
    const payout = await openAndSend();
    expect(payout.$payout.get()).toEqual({ state: 'accepted' });
    expect(reloadProfile).toHaveBeenCalledOnce();
    await payout.send(EMAIL);
    vi.advanceTimersByTime(2999);
    expect(payout.$payout.get()).toEqual({ state: 'accepted' });
    vi.advanceTimersByTime(1);
    expect(payout.$payout.get()).toEqual({ state: 'closed' });
    expect(callApi).toHaveBeenCalledOnce();
  });

  it('shows failure for 3 s, and keeps the host’s reason visible', async () => {
    const reason = '送金には3,000円以上の報酬が必要です。';
    const payout = await openAndSend(new ApiError(400, [{ key: 'detail', message: reason }]));
    // Another tab may have sent a request.
    expect(reloadProfile).toHaveBeenCalledOnce();
    expect(payout.$payout.get()).toEqual({ state: 'failed', reasons: [reason] });
    vi.advanceTimersByTime(2999);
    expect(payout.$payout.get().state).toBe('failed');
    vi.advanceTimersByTime(1);
    expect(payout.$payout.get()).toEqual({ state: 'open', reasons: [reason] });
  });

  it('clears the previous reason when it is reopened', async () => {
    const payout = await openAndSend(new ApiError(400, [{ key: 'email', message: '違います。' }]));
    expect(payout.close()).toBe(true);
    payout.open();
    expect(payout.$payout.get()).toEqual({ state: 'open', reasons: [] });
    // The failure message has expired. It does not affect the new dialog.
    vi.advanceTimersByTime(3000);
    expect(payout.$payout.get()).toEqual({ state: 'open', reasons: [] });
  });

  it('is not closed by the expiry of an earlier success message once reopened', async () => {
    const payout = await openAndSend();
    payout.close();
    payout.open();
    vi.advanceTimersByTime(3000);
    expect(payout.$payout.get()).toEqual({ state: 'open', reasons: [] });
  });

  it.each([
    ['no answer', new ApiError(0, [{ key: 'detail', message: 'unreachable' }])],
    ['a failure without words', new ApiError(500, [])],
    ['something unforeseen', new TypeError('x')],
  ])('gives no reason for %s', async (_, error) => {
    const payout = await openAndSend(error);
    expect(payout.$payout.get()).toEqual({ state: 'failed', reasons: [] });
    expect(reloadProfile).not.toHaveBeenCalled();
  });

  it('says when to retry after too many requests', async () => {
    const payout = await openAndSend(new ApiError(429, [], { retryAfterSec: 90 }));
    expect(payout.$payout.get()).toMatchObject({ reasons: [expect.stringContaining('2分後に')] });
  });

  it('sends the same key again after a lost answer, and a new one from a new dialog', async () => {
    const { payout, sending, refuse } = sendAndWait();
    refuse(new ApiError(0, []));
    await sending;
    expect(payout.$payout.get().state).toBe('failed');
    await payout.send(EMAIL);
    expect(payout.$payout.get()).toEqual({ state: 'accepted' });
    payout.close();
    payout.open();
    await payout.send(EMAIL);
    const [first, second, third] = keys();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('stays open without a message when the required password is not given', async () => {
    const { payout, sending, refuse } = sendAndWait();
    refuse(new ApiError(403, [], { kind: 'cancelled' }));
    await sending;
    expect(payout.$payout.get()).toEqual({ state: 'open', reasons: [] });
    expect(reloadProfile).not.toHaveBeenCalled();
  });
});

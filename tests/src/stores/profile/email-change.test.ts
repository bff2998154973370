// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { callApi, reloadProfile, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));
vi.mock('#src/stores/profile/query.ts', () => ({ reloadProfile }));

import {
  $emailLinkProblems,
  cancelEmailChange,
  followEmailLinks,
  resendMessageEmail,
} from '#src/stores/profile/email-change.ts';

useStores();
beforeEach(() => {
  history.replaceState(null, '', '/profile?x=1&email_token=secret');
});

describe('the link to a new address', () => {
  it('is used once, and its token is removed from the address', async () => {
    callApi.mockResolvedValue({});
    await followEmailLinks();
    expect(location.search).toBe('?x=1');
    expect(reloadProfile).toHaveBeenCalledOnce();
    await followEmailLinks();
    expect(callApi).toHaveBeenCalledOnce();
  });

  it.each([
    ['a log-in is needed first', 401, true],
    ['the link is worth nothing', 400, false],
  ])('when %s, can be used again: %s → %s', async (_, status, isKept) => {
    callApi.mockRejectedValue(new ApiError(status, []));
    await followEmailLinks();
    expect(location.search).toBe('?x=1');
    expect($emailLinkProblems.get()).toHaveLength(isKept ? 1 : 0);
    expect(showToast.mock.calls.map(([kind]) => kind)).toEqual(isKept ? [] : ['error']);
    callApi.mockReset().mockResolvedValue({});
    await followEmailLinks();
    expect(callApi.mock.calls.map(([, { body }]) => body)).toEqual(isKept ? [{ token: 'secret' }] : []);
    expect([$emailLinkProblems.get(), sessionStorage.length]).toEqual([[], 0]);
  });
});

describe('reverting a new address', () => {
  it('saves the present one, and reports whether it succeeded', async () => {
    callApi.mockResolvedValueOnce({}).mockRejectedValueOnce(new ApiError(503, []));
    expect(await cancelEmailChange('a@example.test')).toBe(true);
    expect(reloadProfile).toHaveBeenCalledOnce();
    expect(await cancelEmailChange('a@example.test')).toBe(false);
    expect(reloadProfile).toHaveBeenCalledOnce();
  });

  it('shows each key of a refusal (spec §8)', async () => {
    callApi.mockRejectedValue(new ApiError(400, [{ key: 'email', message: '変更できません。' }]));
    await cancelEmailChange('a@example.test');
    expect(showToast.mock.calls).toEqual([['error', 'email: 変更できません。']]);
  });
});

describe('an address for messages', () => {
  it('is confirmed by its own link', async () => {
    history.replaceState(null, '', '/profile?message_email_token=secret');
    callApi.mockResolvedValue({});
    await followEmailLinks();
    expect(callApi.mock.calls[0]).toMatchObject([
      { path: '/api/account/confirm-message-email/' },
      { body: { token: 'secret' } },
    ]);
    expect(location.search).toBe('');
  });

  it('is mailed again by saving it again', async () => {
    callApi.mockResolvedValue({});
    expect(await resendMessageEmail('b@example.test')).toBe(true);
    expect(callApi.mock.calls[0]).toMatchObject([{}, { body: { message_email: 'b@example.test' } }]);
  });
});

// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { toErrorMessages } from '#src/lib/error-messages.ts';
import { callApi, reloadProfile, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi, callAnonymously: callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));
vi.mock('#src/stores/profile/query.ts', () => ({ reloadProfile }));

import { createConfirmation } from '#src/stores/account/confirmation.ts';
import { createPasswordReset } from '#src/stores/account/password-reset.ts';
import { createUndo } from '#src/stores/account/undo.ts';
import { $emailLinkProblems, followEmailLinks } from '#src/stores/profile/email-change.ts';
import { createReporterView } from '#src/stores/reports/reporter-view.ts';

/** A page as it starts: follows the link of its address or its tab, also again. */
interface OpenedLink {
  follow(): void | Promise<unknown>;
  /** What is said while the link can be tried again; null once it cannot. */
  readProblems(): readonly string[] | null;
}

const LINKS: readonly (readonly [name: string, address: string, open: () => OpenedLink])[] = [
  [
    'a confirmation',
    '/login?user=u1&token=secret',
    () => {
      const { $state, start } = createConfirmation();
      const readProblems = () => {
        const known = $state.get();
        return known.state === 'unavailable' ? known.problems : null;
      };
      return { follow: start, readProblems };
    },
  ],
  [
    'a new password',
    '/reset-password?uid=u1&token=secret',
    () => {
      const { form, start, $isLinkMissing, $isLinkRefused } = createPasswordReset();
      start();
      const follow = () => ($isLinkMissing.get() ? undefined : form.submit({ password: 'otoichi-demo' }));
      const readProblems = () => {
        const state = form.$form.get();
        return state.state === 'editing' && !$isLinkRefused.get() ? state.problems : null;
      };
      return { follow, readProblems };
    },
  ],
  [
    'the undo of a change',
    '/undo?token=secret',
    () => {
      const { $undo, start } = createUndo();
      const readProblems = () => {
        const known = $undo.get();
        return known.state === 'failed' && known.canRetry ? known.problems : null;
      };
      return { follow: start, readProblems };
    },
  ],
  [
    'a report',
    '/report#token=secret',
    () => {
      const { $view, start } = createReporterView();
      const readProblems = () => {
        const known = $view.get();
        return known.state === 'failed' && known.canRetry ? known.problems : null;
      };
      return { follow: start, readProblems };
    },
  ],
  [
    'a new address',
    '/profile?email_token=secret',
    () => {
      const readProblems = () => ($emailLinkProblems.get().length > 0 ? $emailLinkProblems.get() : null);
      return { follow: followEmailLinks, readProblems };
    },
  ],
];

const address = () => location.pathname + location.search + location.hash;
/** The secrets that the host has been given. */
const given = () => callApi.mock.calls.map(([, options]) => JSON.stringify(options).includes('secret'));
const settle = () => new Promise((resolve) => setTimeout(resolve));

useStores();
beforeEach(() => void callApi.mockResolvedValue({}));

describe.each(LINKS)('the mailed link of %s', (_, opened, open) => {
  it.each([
    ['nobody answers', new ApiError(0, [])],
    ['the answer takes too long', new ApiError(408, [])],
    ['there were too many calls', new ApiError(429, [])],
    ['the host fails', new ApiError(503, [])],
    ['something else went wrong', new TypeError('unexpected')],
  ])('is not blamed when %s, and can be tried again, also after a reload', async (__, error) => {
    history.replaceState(null, '', opened);
    callApi.mockRejectedValueOnce(error).mockRejectedValueOnce(error);
    const page = open();
    for (let tries = 1; tries <= 2; tries += 1) {
      await page.follow();
      await settle();
      expect(page.readProblems()).toEqual(toErrorMessages(error));
    }
    expect(address()).not.toContain('secret');
    const reloaded = open();
    await reloaded.follow();
    await settle();
    expect(given()).toEqual([true, true, true]);
  });

  it.each([400, 404, 410])('is forgotten when the host refuses it with %i', async (status) => {
    history.replaceState(null, '', opened);
    callApi.mockRejectedValueOnce(new ApiError(status, [{ key: 'detail', message: '使用済みです。' }]));
    const page = open();
    await page.follow();
    await settle();
    expect(page.readProblems()).toBeNull();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret');
    await open().follow();
    await settle();
    expect(given()).toEqual([true]);
  });
});

it('a refused password leaves the link as it is', async () => {
  history.replaceState(null, '', '/reset-password?uid=u1&token=secret');
  callApi.mockRejectedValueOnce(new ApiError(400, [{ key: 'password', message: '短すぎます。' }]));
  const { form, start, $isLinkRefused } = createPasswordReset();
  start();
  await form.submit({ password: 'otoichi-demo' });
  expect(form.$form.get()).toMatchObject({ errors: { password: '短すぎます。' } });
  expect($isLinkRefused.get()).toBe(false);
  expect(JSON.stringify({ ...sessionStorage })).toContain('secret');
});

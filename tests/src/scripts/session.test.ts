// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';

vi.mock('../../../src/stores/account.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

import { watchSession } from '../../../src/scripts/session.ts';
import { navigations } from '../support/router.ts';

afterEach(() => vi.restoreAllMocks());

it('log-out whose script could not be loaded loads the page anew: the browser would never ask for it again', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  document.body.innerHTML = '<button data-logout>ログアウト</button>';
  watchSession();
  document.querySelector('button')?.click();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

it('a session that the host ends leads to log-in and back to the same place of the page', () => {
  history.replaceState(null, '', '/profile?x=1#personal-info');
  watchSession();
  document.dispatchEvent(new Event('session:refused'));
  expect(navigations.at(-1)).toBe(`/login?redirect=${encodeURIComponent('/profile?x=1#personal-info')}`);
});

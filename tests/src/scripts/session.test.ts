// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';

vi.mock('../../../src/stores/account.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

import { watchSession } from '../../../src/scripts/session.ts';

afterEach(() => vi.restoreAllMocks());

it('log-out whose script could not be loaded loads the page anew: the browser would never ask for it again', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  document.body.innerHTML = '<button data-logout>ログアウト</button>';
  watchSession();
  document.querySelector('button')?.click();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

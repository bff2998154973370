// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { watchSession } from '#src/scripts/shell/session.ts';
import { navigations } from '../../support/router.ts';

it('a session ended by the host leads to log-in and back to the same place of the page', async () => {
  history.replaceState(null, '', '/profile?x=1#personal-info');
  watchSession();
  document.dispatchEvent(new Event('session:refused'));
  const place = `/login?redirect=${encodeURIComponent('/profile?x=1#personal-info')}`;
  await expect.poll(() => navigations.at(-1)).toBe(place);
});

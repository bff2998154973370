import { loginPath } from '../../lib/login-path.ts';
import { navigate } from '../../navigation/navigate.ts';
import { onPage } from '../../browser/page-cache.ts';

/**
 * Handles the session: the log-out button, redirects of pages that are not for this visitor, other tabs, and hosts that
 * end the session.
 */
export function watchSession(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('[data-logout]')) return;
    void import('../log-out.ts').then((script) => script.logOut()).catch(console.warn);
  });
  document.addEventListener('astro:before-preparation', (event) => {
    const target = window.early?.toRedirect(event.to);
    if (target) event.to = new URL(target, location.href);
  });
  const redirect = () => {
    window.early?.mark();
    const target = window.early?.toRedirect(location);
    if (target) void navigate(target, { history: 'replace' });
  };
  // Another tab may have logged in or out, or another page of this tab.
  window.addEventListener('storage', redirect);
  onPage('show', redirect);
  // Spec §4: the host has refused to renew the session.
  document.addEventListener('session:refused', () => {
    window.early?.mark();
    const { pathname, search, hash } = location;
    if (pathname !== '/login') void navigate(loginPath(pathname + search + hash));
  });
}

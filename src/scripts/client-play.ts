import type { ClientDirective } from 'astro';

/**
 * `client:play` hydrates the player bar on the first press on play, or once the page is at rest
 * when there is a remembered queue. A page that only shows text thus ships no React.
 */
const directive: ClientDirective = (load, _options, element) => {
  const hydrate = async () => {
    const start = await load();
    await start();
  };
  if (window.early?.button) return void hydrate();
  if ('player' in document.documentElement.dataset) {
    // Not every browser has idle times.
    return void (self.requestIdleCallback ?? setTimeout)(() => void hydrate());
  }
  const wake = () => void hydrate();
  document.addEventListener('player:wake', wake, { once: true });
  element.addEventListener('astro:unmount', () => document.removeEventListener('player:wake', wake));
};

export default directive;

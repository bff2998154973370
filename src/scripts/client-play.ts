import type { ClientDirective } from 'astro';

/**
 * `client:play` hydrates the player bar on the first press on play, or once the page is idle if a queue is stored. Text
 * pages thus load no React.
 */
const directive: ClientDirective = (load, _options, element) => {
  const hydrate = () => void load().then((start) => start());
  if (window.early?.button) return hydrate();
  if ('player' in document.documentElement.dataset) {
    // Not every browser supports idle callbacks.
    return void (self.requestIdleCallback ?? setTimeout)(hydrate);
  }
  document.addEventListener('player:wake', hydrate, { once: true });
  element.addEventListener('astro:unmount', () => document.removeEventListener('player:wake', hydrate));
};

export default directive;

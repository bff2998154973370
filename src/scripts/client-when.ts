import type { ClientDirective } from 'astro';
import type { When } from '../browser/early.ts';

/**
 * `client:when` leaves the loading of an island to `islands.ts`, which can try again: browsers remember for the lifetime
 * of a page that an `import()` has failed. Astro inlines this in pages: type imports only.
 */
const directive: ClientDirective = (load, { value }, element) => {
  window.early?.islands.push({ element, when: value as When, load });
  document.dispatchEvent(new Event('island:wait'));
};

export default directive;

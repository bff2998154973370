import type { ClientDirective } from 'astro';
import type { When } from '../browser/early.ts';
import { addIsland } from './shell/islands.ts';

/**
 * `client:when` leaves the loading of an island to `islands.ts`, which can try again: browsers remember for the lifetime
 * of a page that an `import()` has failed.
 */
const directive: ClientDirective = (load, { value }, element) =>
  addIsland({ element, when: value as When, load });

// Astro would inline the directive in every page (`server/web/astro/adapter.ts`).
Object.assign(window, { Astro: { when: directive } });

export default directive;

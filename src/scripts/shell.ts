import { keepPlace } from './keep-place.ts';
import { watchKeys } from './keys.ts';
import { prefetchAhead } from './prefetch.ts';
import { watchNavigation } from './progress.ts';
import { watchSession } from './session.ts';

keepPlace();
prefetchAhead();
watchNavigation();
watchKeys();
watchSession();
// Not on the first page, whose state is set without this script.
document.addEventListener('astro:after-swap', () => {
  void import('./freshness.ts').then((freshness) => freshness.checkPage()).catch(console.warn);
});

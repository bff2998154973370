import { watchComposition } from '../../browser/composition.ts';
import { isListing } from '../../lib/fragments.ts';
import { hydratePartsBy } from '../shell/islands.ts';

/** Pages with sounds: the listing, the hearts, the keys, and what the player changes on cards. Their code loads when needed. */
const loadIslands = () => import('../../islands/sounds/card-islands.tsx');

/** Loads the choices of the filters when the pointer or the focus is on them. */
function prepare({ target }: Event): void {
  if (!(target as Element).closest('.fact-group > summary')) return;
  void import('./facts.ts').then((facts) => facts.loadFacts()).catch(console.warn);
}

/** Keys are handled in their order, also those pressed while their script loads. */
let lastKey: Promise<unknown> = Promise.resolve();

/**
 * J, K, F and D on a card that the keyboard is on, J and K also elsewhere in the page. A card that was pressed with the
 * mouse leaves F and D to the player (keys.ts).
 */
function pressCard(event: KeyboardEvent): void {
  const target = event.target as Element;
  const card = target.closest<HTMLElement>('[data-queue] [data-sound]:has(:focus-visible)');
  if (!card && !target.matches('body, main a, main button')) return;
  const keys = card ? /^[jkfd]$/i : /^[jk]$/i;
  if (!keys.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  // The player's keys are handled later.
  event.preventDefault();
  lastKey = lastKey
    .then(() => import('./list-keys.ts'))
    .then((keys) => keys.pressListKey(card, event))
    .catch(console.warn);
}

function startPage(): void {
  // A member's hearts are filled after the page is visible; visitors have none.
  if ('member' in document.documentElement.dataset && document.querySelector('.favorite')) {
    void import('./hearts.ts').then((hearts) => hearts.fillHearts()).catch(console.warn);
  }
  if ('player' in document.documentElement.dataset) void loadIslands().catch(console.warn);
  if (isListing(location) && (location.search || localStorage.getItem('auth'))) {
    void import('./last-search.ts').then((search) => search.rememberSearch()).catch(console.warn);
  }
}

hydratePartsBy(loadIslands);
watchComposition();
document.addEventListener('pointerover', prepare, { passive: true });
document.addEventListener('focusin', prepare);
document.addEventListener('keydown', pressCard, true);
document.addEventListener('player:start', () => void loadIslands().catch(console.warn));
document.addEventListener('astro:page-load', startPage);
startPage();

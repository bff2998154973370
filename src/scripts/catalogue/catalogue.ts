import { CARDS_CHANGE, isListing, toFragmentUrl } from '../../lib/fragments.ts';
import { hydratePartsBy } from '../shell/islands.ts';

/** Pages with sounds: the listing, the hearts, the keys, and what the player changes on cards. Their code loads when needed. */
const loadIslands = () => import('../../islands/sounds/card-islands.tsx');
const loadListing = () => import('./listing.ts');

/** Without a connection, the search starts once it is back. */
function prepareListing(): void {
  void loadListing().catch((error: unknown) => {
    console.warn(error);
    addEventListener('online', prepareListing, { once: true });
  });
}

/** Loads the search, or the choices of the filters, when someone turns to them. */
function prepare({ target }: Event): void {
  const box = target as HTMLElement;
  if (box.closest('.fact-group > summary')) {
    void import('./facts.ts').then((facts) => facts.loadFacts()).catch(console.warn);
  }
  if (box.id !== 'search') return;
  // Focus scrolls to the top; Back returns to this position (src/stores/search/history.ts).
  // The attribute makes a text of the number, or of there being none.
  box.dataset['scrollBefore'] ??= (history.state as { scrollY?: string } | null)?.scrollY;
  prepareListing();
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

/** A search that the router submits before its scripts have loaded: the router has stored the top as the position. */
function saveScrollBefore(): void {
  const box = document.getElementById('search');
  const scrollY = Number(box?.dataset['scrollBefore']);
  delete box?.dataset['scrollBefore'];
  if (scrollY > 0) history.replaceState({ ...history.state, scrollY }, '');
}

function follow(): void {
  // A member's hearts are filled after the page is shown; visitors have none.
  if ('member' in document.documentElement.dataset && document.querySelector('.favorite')) {
    void import('./hearts.ts').then((hearts) => hearts.fillHearts()).catch(console.warn);
  }
  if ('player' in document.documentElement.dataset) void loadIslands().catch(console.warn);
  if (isListing(location) && (location.search || localStorage.getItem('auth'))) {
    void import('./last-search.ts').then((search) => search.rememberSearch()).catch(console.warn);
  }
}

hydratePartsBy(({ dataset }) => (dataset['island'] === 'more' ? loadListing() : loadIslands()));
document.addEventListener('pointerover', prepare, { passive: true });
document.addEventListener('focusin', prepare);
document.addEventListener('keydown', pressCard, true);
// The box hydrates during a composition as well (src/islands/search/SearchBox.tsx).
for (const type of ['compositionstart', 'compositionend']) {
  document.addEventListener(type, ({ target }) =>
    (target as Element).toggleAttribute('data-composing', type === 'compositionstart'),
  );
}
document.addEventListener('player:start', () => void loadIslands().catch(console.warn));
document.addEventListener('astro:page-load', follow);
document.addEventListener(CARDS_CHANGE, follow);
document.addEventListener('astro:before-preparation', (event) => {
  const focusId = event.sourceElement?.id;
  if (focusId) history.replaceState({ ...history.state, focusId }, '');
  if (!isListing(event.from) || !isListing(event.to) || !document.getElementById('listing')) return;
  const loadPage = event.loader;
  const reply = fetch(toFragmentUrl(event.to), {
    signal: event.signal,
    cache: window.early?.cache ?? 'default',
  }).catch(() => null);
  event.loader = () =>
    import('./listing-parts.ts').then(
      (parts) => parts.replaceListing(event, reply, loadPage),
      () => loadPage(),
    );
});
document.addEventListener('astro:before-swap', ({ navigationType, sourceElement }) => {
  if (sourceElement?.id === 'search-form') saveScrollBefore();
  if (navigationType !== 'traverse') return;
  // Back and Forward return to the link that was followed.
  const returnFocus = () => {
    // Without one, no element has this id.
    const { focusId } = history.state as { focusId: string };
    document.getElementById(focusId)?.focus({ preventScroll: true });
  };
  document.addEventListener('astro:after-swap', returnFocus, { once: true });
});
// The search box may have been focused, or edited and left, before this script ran.
const box = document.querySelector('#search:is(:focus, :user-valid)');
box?.dispatchEvent(new Event('focusin', { bubbles: true }));

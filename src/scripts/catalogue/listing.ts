import { type SoundFilters, parseSoundFilters } from '../../lib/sound-filters.ts';
import { append, find, show } from './listing-parts.ts';
import { $listingState, $search, type ListingState, createSoundSearch } from '../../stores/search/search.ts';

/** The listing at /sounds without a reload: search as one types, and もっと見る. It loads with the first of them. */
const search = createSoundSearch({ readFilters, readNext, show, append }, $listingState);

$search.subscribe((text) => {
  if (text !== null && find('listing')) search.search(text);
});
$listingState.subscribe(showState);
document.addEventListener('astro:after-swap', () => showState($listingState.get()));
document.addEventListener('astro:before-swap', () => search.drop());
document.addEventListener('click', followLink, true);

/** Makes もっと見る append the next page to the list. */
export async function hydrate(link: HTMLElement): Promise<void> {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    search.showMore();
  });
  link.dataset['live'] = '';
}

function readFilters(): SoundFilters {
  const { url = '' } = find('listing')?.dataset ?? {};
  return parseSoundFilters(new URL(url, location.href).searchParams);
}

function readNext(): number | null {
  const more = find('more');
  return more instanceof HTMLAnchorElement && more.dataset['island']
    ? Number(new URL(more.href).searchParams.get('to'))
    : null;
}

const TEXTS = {
  searching: {
    slow: '検索に時間がかかっています。下は前の検索結果です。',
    retrying: 'うまく検索できなかったため、もう一度試しています。下は前の検索結果です。',
  },
  'loading-more': {
    slow: '読み込みに時間がかかっています。',
    retrying: 'うまく読み込めなかったため、もう一度試しています。',
  },
};

/** Shows that a call takes long, is being retried or has failed, next to the content concerned. */
function showState(state: ListingState): void {
  const isSearching = state.state === 'searching';
  const results = find('results');
  if (!results) return;
  results.ariaBusy = isSearching ? 'true' : null;
  // The old results are dimmed briefly; during a longer wait they stay readable.
  find('cards')?.classList.toggle('opacity-60', isSearching && !state.delay);
  const more = find('more');
  if (more?.dataset['island']) {
    const isLoading = state.state === 'loading-more';
    more.ariaBusy = isLoading ? 'true' : null;
    more.textContent = isLoading ? 'Loading...' : 'もっと見る';
  }
  for (const about of ['searching', 'loading-more'] as const) {
    const place = find(about);
    const delay = state.state === about ? state.delay : undefined;
    const failure = state.state === 'failed' && state.during === about ? state : undefined;
    // The live region stays: only changes of its content are announced.
    place?.firstElementChild?.replaceChildren(
      ...(delay ? [toNotice(TEXTS[about][delay.reason], delay.retry)] : []),
    );
    place?.querySelector('[role=alert]')?.remove();
    if (failure) {
      const alert = toNotice(failure.messages.join(''), failure.retry);
      alert.role = 'alert';
      alert.classList.add('text-danger');
      place?.append(alert);
    }
  }
}

function toNotice(text: string, retry: () => void): HTMLElement {
  const notice = document.createElement('p');
  notice.className = 'listing-notice mt-4 flex flex-wrap items-center gap-x-3 gap-y-2';
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button', textContent: 'もう一度試す' });
  button.addEventListener('click', () => {
    // The button is removed with its notice, so focus has to move.
    find('results')?.focus({ preventScroll: true });
    retry();
  });
  notice.append(text, button);
  return notice;
}

/**
 * Moves focus for a link within the page without the router, which recognises such a link by comparing addresses: the
 * listing's address changes without it.
 */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('.skip-link, #show-results');
  const target = link?.hash ? document.querySelector<HTMLElement>(link.hash) : null;
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.scrollIntoView();
}

import { navigate } from '../../navigation/navigate.ts';
/** Elements that handle keys, and a body covered by an advertisement (src/ads/inert-page.ts). */
const TYPING = 'input, textarea, select, dialog, [data-held]';
const PRESSABLE = 'button, a, summary, [role="slider"]';

/**
 * The site's keys. `/`, `?` and C work immediately; the rest belongs to the player and loads with the first of its keys
 * pressed while there is a queue.
 */
export function watchKeys(): void {
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-help]')) openHelp();
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    if (target.closest(TYPING)) return;
    // A held key repeats seeking and stepping, but opens and downloads only once.
    if (event.repeat && !event.key.startsWith('Arrow')) return;
    if (localStorage.getItem('player:keys') === 'false' && event.key !== '?') return;
    if (event.key === '/') {
      event.preventDefault();
      focusSearch();
    } else if (event.key === '?') {
      event.preventDefault();
      openHelp();
    } else if (event.key.toLowerCase() === 'c') {
      document.getElementById('follow-up')?.focus();
    } else if ('player' in document.documentElement.dataset) {
      if (target.closest(PRESSABLE) && (event.key === ' ' || event.key === 'Enter')) return;
      if (!/^( |Arrow.+|[npfd])$/i.test(event.key)) return;
      event.preventDefault();
      void import('../player-keys.ts').then((keys) => keys.pressPlayerKey(event.key)).catch(console.warn);
    }
  });
}

function openHelp(): void {
  void import('../../islands/player/help-sheet.tsx')
    .then((sheet) => sheet.openHelpSheet())
    .catch(console.warn);
}

function focusSearch(): void {
  const input = document.getElementById('search');
  // `src/navigation/place.ts` stores the previous position with the focus.
  if (input) {
    input.focus({ preventScroll: true });
    input.scrollIntoView({ block: 'nearest' });
  } else void navigate('/sounds').then(() => document.getElementById('search')?.focus());
}

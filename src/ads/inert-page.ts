/** The elements that a framed advertisement covers. The dialogs of a download stay reachable. */
const COVERED = 'body > header, #main, body > footer, body > .skip-link, #player-place, .follow-up';

/** Networks keep small helper frames; focus must not enter those. */
const FRAME_PIXELS_MIN = 10_000;

export interface InertPage {
  /** Moves focus into the advertisement once it is present and none of our dialogs is open. */
  focusAd(): void;
  /** Makes the page interactive again; safe to call repeatedly. */
  release(): void;
}

/** Keeps keyboard and screen reader off the page while a third-party advertisement covers it. */
export function makePageInert(): InertPage {
  const covered = [...document.querySelectorAll<HTMLElement>(COVERED)].filter(({ inert }) => !inert);
  for (const element of covered) element.inert = true;
  // The site's keys are off meanwhile (src/scripts/shell/keys.ts).
  const { body } = document;
  body.dataset['held'] = '';
  let isAdFocused = false;
  const tryFocus = () => {
    if (isAdFocused || document.querySelector('dialog[open]')) return;
    const frame = findFrame();
    frame?.focus();
    isAdFocused = frame !== undefined && document.activeElement === frame;
  };
  // A network may prepare its frame early and show it by a style change.
  const observer = new MutationObserver(tryFocus);
  observer.observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['style', 'class', 'hidden', 'aria-hidden', 'open', 'width', 'height'],
  });
  tryFocus();
  return {
    focusAd() {
      isAdFocused = false;
      tryFocus();
    },
    release() {
      observer.disconnect();
      for (const element of covered.splice(0)) element.inert = false;
      delete body.dataset['held'];
      // A frame that lingers must not keep focus from returning to the page.
      const { activeElement } = document;
      if (activeElement instanceof HTMLIFrameElement) activeElement.blur();
    },
  };
}

/** The largest visible frame; the site itself has none. */
function findFrame(): HTMLIFrameElement | undefined {
  return [...document.querySelectorAll('iframe')]
    .map((frame) => ({ frame, pixels: countPixels(frame) }))
    .filter(({ pixels }) => pixels >= FRAME_PIXELS_MIN)
    .toSorted((a, b) => b.pixels - a.pixels)[0]?.frame;
}

function countPixels(frame: HTMLIFrameElement): number {
  if (getComputedStyle(frame).visibility === 'hidden') return 0;
  const { width, height } = frame.getBoundingClientRect();
  return width * height;
}

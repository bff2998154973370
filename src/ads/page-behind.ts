/** What an advertisement in a frame of its own lies over. What a download says and asks stays reachable. */
const BEHIND =
  'body > header, #main, body > footer, body > .skip-link, [data-astro-transition-persist="player"], .follow-up';

/** Networks keep small frames for themselves; nobody is led into one of those. */
const FRAME_PIXELS_MIN = 10_000;

export interface HeldPage {
  /** Moves focus into the advertisement once it is there and nothing of ours stands before it. */
  lead(): void;
  /** Gives the page back; safe more than once. */
  release(): void;
}

/** Keeps keyboard and screen reader off the page while an advertisement of others lies over it. */
export function holdPage(): HeldPage {
  const held = [...document.querySelectorAll<HTMLElement>(BEHIND)].filter(({ inert }) => !inert);
  for (const element of held) element.inert = true;
  // The site's keys mean nothing meanwhile (src/scripts/keys.ts).
  const { body } = document;
  body.dataset['held'] = '';
  let isLed = false;
  const follow = () => {
    if (isLed || document.querySelector('dialog[open]')) return;
    const frame = findFrame();
    frame?.focus();
    isLed = frame !== undefined && document.activeElement === frame;
  };
  // A network may have had its frame ready for long, and shows it by a change of its style.
  const observer = new MutationObserver(follow);
  observer.observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['style', 'class', 'hidden', 'aria-hidden', 'open', 'width', 'height'],
  });
  follow();
  return {
    lead() {
      isLed = false;
      follow();
    },
    release() {
      observer.disconnect();
      for (const element of held.splice(0)) element.inert = false;
      delete body.dataset['held'];
      // A frame that stays for a moment must not keep what returns to the page.
      const { activeElement } = document;
      if (activeElement instanceof HTMLIFrameElement) activeElement.blur();
    },
  };
}

/** The largest frame in sight; the site itself has none. */
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

const SITE = '.navbar-picture,footer img';
const WAVES = '[data-thumbnail],.player-art img';
const FACES = '.avatar,.artist-picture';
/** Others have their own handling of errors, or a text that the browser shows. */
const REPLACED = [SITE, WAVES, FACES, '[data-background]'].join();

/**
 * Replaces a picture that does not load by what a page has without a picture: the waveform, the first letter of the
 * name, the name of the site, or nothing (decision 122).
 */
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.matches(REPLACED) && isMissing(target)) replace(target);
  },
  true,
);

// Pictures that failed earlier are loaded again: browsers do not agree on whether a lazy picture that has not begun to load
// is complete.
for (const picture of document.querySelectorAll<HTMLImageElement>(REPLACED)) {
  if (picture.src && isMissing(picture)) picture.setAttribute('src', picture.src);
}

function isMissing({ complete, naturalWidth, src }: HTMLImageElement): boolean {
  return complete && naturalWidth === 0 && !src.startsWith('data:');
}

/** Where React may own the element, only its address changes, until React sets another one. */
function replace(picture: HTMLImageElement): void {
  const style = getComputedStyle(picture);
  let drawing = '';
  if (picture.matches(SITE)) {
    const name = document.createElement('span');
    name.className = 'site-name';
    name.textContent = picture.alt;
    return (picture.closest('picture') ?? picture).replaceWith(name);
  }
  if (picture.matches(WAVES)) {
    // The card's own, which has the drawing's measures: importing them would load the code of islands.
    const wave = picture.closest('[data-sound],#player')?.querySelector('[data-wave]');
    drawing = `<svg x="10%" y="10%" width="80%" height="80%" viewBox="${wave?.closest('svg')?.getAttribute('viewBox')}" preserveAspectRatio="none"><path d="${wave?.getAttribute('d')}" stroke="${style.getPropertyValue('--color-field')}" stroke-width="2"/></svg>`;
  } else if (picture.matches(FACES)) {
    drawing = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="${style.fontSize}" fill="${style.color}">&#${findLetter(picture)};</text>`;
  }
  picture.removeAttribute('srcset');
  picture.src = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`)}`;
}

/** The code point of the first letter of the nearest text: the name is beside its picture. */
function findLetter(picture: Element): number {
  let element = picture.parentElement;
  while (element?.textContent.trim() === '') element = element.parentElement;
  return element?.textContent.trim().codePointAt(0) ?? 32;
}

// A module without exports: importing it is enough.
export {};

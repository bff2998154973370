import { type PictureKind, toSrcset } from '../../contract/pictures.ts';

/** How wide a card's picture is shown, as `sizes` says it. */
export const CARD_PICTURE_SIZES =
  '(min-width: 1320px) 310px, (min-width: 769px) 30vw, (min-width: 480px) 46vw, 96px';

/**
 * A Link header that has the browser ask for a page's largest picture before it has read the page.
 * The choice among the picture's widths is the same as the page's own.
 */
export function toPicturePreload(url: string, kind: PictureKind, sizes: string): string {
  const srcset = toSrcset(url, kind);
  const responsive = srcset === undefined ? '' : `; imagesrcset="${srcset}"; imagesizes="${sizes}"`;
  return `<${url.replace(/[^!-~]|[<>"]/gu, encodeURIComponent)}>; rel=preload; as=image; fetchpriority=high${responsive}`;
}

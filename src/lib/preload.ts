import { type PictureKind, toSrcset } from '../../contract/pictures.ts';

/** Displayed width of a card's picture, as in `sizes`. */
export const CARD_PICTURE_SIZES =
  '(min-width: 1320px) 310px, (min-width: 769px) 30vw, (min-width: 480px) 46vw, 96px';

/**
 * A Link header that preloads a page's largest picture before the HTML is parsed. Its choice among the picture's widths
 * matches that of the page.
 */
export function toPicturePreload(url: string, kind: PictureKind, sizes: string): string {
  const srcset = toSrcset(url, kind);
  const responsive = srcset === undefined ? '' : `; imagesrcset="${srcset}"; imagesizes="${sizes}"`;
  return `<${url.replace(/[^!-~]|[<>"]/gu, encodeURIComponent)}>; rel=preload; as=image; fetchpriority=high${responsive}`;
}

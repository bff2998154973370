import { LRUCache } from 'lru-cache';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { SoundCard, type SoundCardProps } from './SoundCard.tsx';

/** Characters of cards that are kept: about 3,000 cards. */
const KEPT_LENGTH = 10_000_000;

const kept = new LRUCache<string, string>({
  maxSize: KEPT_LENGTH,
  sizeCalculation: (html, key) => html.length + key.length,
});

/**
 * The HTML of a card. It depends on the card's data alone, so it is rendered once for all pages that show the same
 * sound. Its islands hydrate when they are needed (`card-islands.tsx`).
 */
export function toCardHtml(props: SoundCardProps): string {
  const key = JSON.stringify(props);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const html = renderToStaticMarkup(createElement(SoundCard, props));
  kept.set(key, html);
  return html;
}

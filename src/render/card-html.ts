import { LRUCache } from 'lru-cache';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { CardSound } from '../lib/card-sound.ts';
import { SoundCard, type SoundCardProps } from '../islands/sounds/SoundCard.tsx';

/** Characters of cards that are kept: about 4,000 cards. */
const KEPT_LENGTH = 10_000_000;

interface Kept {
  readonly sound: CardSound;
  readonly html: string;
}

const kept = new LRUCache<string, Kept>({
  maxSize: KEPT_LENGTH,
  sizeCalculation: ({ html }) => html.length,
});

/**
 * The HTML of a card. It depends on the card's data alone, so it is rendered once for all pages that show the same
 * sound. Its islands hydrate when they are needed (`card-islands.tsx`).
 */
export function toCardHtml(props: SoundCardProps): string {
  const { sound, hasPage } = props;
  const key = `${hasPage ? 'linked' : ''} ${sound.id}`;
  const known = kept.get(key);
  if (known && isSame(known.sound, sound)) return known.html;
  const html = renderToStaticMarkup(createElement(SoundCard, props));
  kept.set(key, { sound, html });
  return html;
}

function isSame(one: CardSound, other: CardSound): boolean {
  return (Object.keys(one) as (keyof CardSound)[]).every((name) => one[name] === other[name]);
}

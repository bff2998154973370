import { LRUCache } from 'lru-cache';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { CardSound } from '../lib/card-sound.ts';
import { SoundCard, type SoundCardProps } from '../islands/sounds/SoundCard.tsx';
import { type Part, toPart } from '../../contract/site/page-parts.ts';

/** About 4,000 cards. */
const CACHE_BYTES = 10_000_000;

interface CachedCard {
  readonly sound: CardSound;
  readonly part: Part;
}

const cache = new LRUCache<string, CachedCard>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ part }) => part.byteLength,
});

/**
 * The item of a card in a list. It depends on the card's data alone, so it is rendered once for all pages that show the same
 * sound. Its islands hydrate when they are needed (`card-islands.tsx`).
 */
export function toCardItem(props: SoundCardProps): Part {
  const { sound, hasPage } = props;
  const key = `${hasPage ? 'linked' : ''} ${sound.id}`;
  const cached = cache.get(key);
  if (cached && isSame(cached.sound, sound)) return cached.part;
  const part = toPart(`<li>${renderToStaticMarkup(createElement(SoundCard, props))}</li>`);
  cache.set(key, { sound, part });
  return part;
}

function isSame(one: CardSound, other: CardSound): boolean {
  return (Object.keys(one) as (keyof CardSound)[]).every((name) => one[name] === other[name]);
}

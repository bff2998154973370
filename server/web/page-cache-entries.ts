import { LRUCache } from 'lru-cache';
import type { Page } from './pages.ts';

export interface Entry {
  readonly key: string;
  /** The last successful rendering. */
  readonly page: Page;
  /** `page` with a warning, created when it is first needed. */
  outdated: Page | undefined;
  /** `page`, or `outdated` while renewal fails. */
  served: Page;
  readonly tags: ReadonlySet<string>;
  renderedAt: number;
  freshUntil: number;
  staleUntil: number;
}

/** The changes since a rendering started to read. */
export interface Changes {
  readonly tags: Set<string>;
  isAll: boolean;
}

export interface Rendering {
  /** The visitor who started the rendering; others that wait for it have joined. */
  readonly visitor: string;
  readonly changes: Changes;
  readonly begunAt: number;
  readonly page: Promise<Page>;
}

/** Approximate memory of a tag. */
const TAG_BYTES = 100;

/** A cache of at most so many bytes. */
export function createLru(maxBytes: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: Math.floor(maxBytes),
    sizeCalculation: ({ page, outdated, tags }, key) =>
      page.byteSize + (outdated?.byteSize ?? 0) + tags.size * TAG_BYTES + key.length * 2,
  });
}

/** A rendering with changes may be outdated: new requests do not join it. */
export function hasAny({ tags, isAll }: Changes): boolean {
  return isAll || tags.size > 0;
}

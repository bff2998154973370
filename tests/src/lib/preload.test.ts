import { describe, expect, it } from 'vitest';
import { toPicturePreload } from '../../../src/lib/preload.ts';

describe('a preloaded picture', () => {
  it('is chosen among the widths that our own host generates', () => {
    expect(toPicturePreload('/media/pictures/ab/320.webp', 'thumbnail', '96px')).toBe(
      '</media/pictures/ab/320.webp>; rel=preload; as=image; fetchpriority=high; ' +
        'imagesrcset="/media/pictures/ab/320.webp 320w, /media/pictures/ab/640.webp 640w"; imagesizes="96px"',
    );
  });

  it('of another host keeps its URL, and cannot break out of the header', () => {
    const header = toPicturePreload(
      'https://cdn.test/%E9%9B%A8 雨>.png\r\nset-cookie: a=b',
      'thumbnail',
      '96px',
    );
    expect(header).toMatch(
      /^<https:\/\/cdn\.test\/%E9%9B%A8%20%E9%9B%A8%3E\.png%0D%0Aset-cookie:%20a=b>; rel=preload/,
    );
    expect(() => new Headers().append('link', header)).not.toThrow();
  });
});

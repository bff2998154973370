import { describe, expect, inject, it } from 'vitest';
import { MARKUP_TITLE } from '../browser/support/catalogue.ts';
import { parseAtom } from './atom.ts';

const ARTIST = '音の人';

async function read(path: string) {
  const reply = await fetch(new URL(path, inject('siteUrl')));
  return { status: reply.status, text: await reply.text() };
}

describe('the feed', () => {
  it('has the newest public sounds with their pages, and nothing private', async () => {
    const { entry } = parseAtom((await read(`/feed/artist/${ARTIST}`)).text);
    expect(entry.map(({ title }) => title)).toContain(MARKUP_TITLE);
    expect(entry.every(({ author }) => author[0]?.name === ARTIST)).toBe(true);
    const { link = [] } = entry.find(({ title }) => title === '最新の戦闘音') ?? {};
    for (const { href = '', rel } of link) {
      const reply = await fetch(href);
      expect([rel, reply.status]).toEqual([rel, 200]);
    }
    // No enclosure: a reader would take the file without the download that pays its artist.
    expect(link.map(({ rel }) => rel)).toEqual(['alternate']);
    for (const path of ['/feed', `/feed/artist/${ARTIST}`]) {
      expect((await read(path)).text).not.toContain('非公開');
    }
  });

  it('of a search has its results, newest first, and names it', async () => {
    const { title, entry } = parseAtom((await read('/feed?search=戦闘&ordering=-downloads')).text);
    expect(title).toBe('「戦闘」の新着サウンド | Otoichi');
    expect(entry.map((each) => each.title)).toContain('最新の戦闘音');
    expect(parseAtom((await read('/feed?search=ありえない言葉')).text).entry).toEqual([]);
  });

  it('of an unknown artist is not found', async () => {
    expect((await read('/feed/artist/nobody')).status).toBe(404);
  });
});

import { describe, expect, inject, it } from 'vitest';
import { listAtomFaults, parseAtom } from '../../pages/atom.ts';
import { useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();
const ARTIST = '音の人';

async function read(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(new URL(path, inject('siteUrl')), { headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

describe('the feed', () => {
  it.each(['/feed', '/feed?search=最新', '/feed?type=1', `/feed/artist/${ARTIST}`])(
    'at %s is valid Atom with the headers of a listing',
    async (path) => {
      const { status, headers, text } = await read(path);
      expect(status).toBe(200);
      expect(listAtomFaults(text)).toEqual([]);
      const { entry } = parseAtom(text);
      expect(entry.length).toBeGreaterThan(0);
      expect(entry.length).toBeLessThanOrEqual(50);
      const listing = await read('/sounds');
      expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; img-src 'self'; frame-ancestors 'none'",
      );
      for (const name of ['cache-control', 'cdn-cache-control', 'vary', 'x-frame-options', 'set-cookie']) {
        expect(headers.get(name), name).toBe(listing.headers.get(name));
      }
      const etag = headers.get('etag') ?? '';
      expect(await read(path, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
      // The parser of a browser is stricter than that of the tests.
      const page = await open('/member-terms');
      const root = await page.evaluate((xml) => {
        const { documentElement } = new DOMParser().parseFromString(xml, 'application/xml');
        return [documentElement.localName, documentElement.getElementsByTagName('entry').length];
      }, text);
      expect(root).toEqual(['feed', entry.length]);
    },
  );
});

describe('pages with sounds', () => {
  it.each([
    ['/', '/feed'],
    ['/sounds', '/feed'],
    ['/sounds?search=戦闘&page=2&ordering=-downloads', `/feed?search=${encodeURIComponent('戦闘')}`],
    [`/artist/${ARTIST}?type=1`, `/feed/artist/${encodeURIComponent(ARTIST)}`],
  ])('at %s name their feed, and link to it without JavaScript', async (path, feed) => {
    const page = await open(path, { javaScriptEnabled: false });
    const named = await page.locator('link[type="application/atom+xml"]').getAttribute('href');
    expect(named).toBe(inject('siteUrl') + feed);
    if (path === '/') return;
    const [reply] = await Promise.all([
      page.waitForResponse((response) => response.url() === named),
      page.getByRole('link', { name: 'フィード' }).click(),
    ]);
    expect(reply.headers()['content-type']).toContain('application/atom+xml');
  });

  it('name the feed of the listing that scripts show', async () => {
    const page = await open('/sounds');
    await page.getByRole('searchbox').fill('戦闘');
    await page.waitForURL(/search=/);
    const feed = `/feed?search=${encodeURIComponent('戦闘')}`;
    await expect
      .poll(() => page.locator('link[type="application/atom+xml"]').getAttribute('href'))
      .toBe(inject('siteUrl') + feed);
    expect(await page.getByRole('link', { name: 'フィード' }).getAttribute('href')).toBe(feed);
  });

  it('open the feed by keyboard', async () => {
    const page = await newPage();
    await page.goto('/sounds');
    await page.getByRole('link', { name: 'フィード' }).focus();
    // The browser itself opens it, not the router. Firefox saves it as a file, and stays on the page.
    await Promise.all([
      page.waitForRequest((request) => request.isNavigationRequest() && request.url().endsWith('/feed')),
      page.keyboard.press('Enter'),
    ]);
  });
});

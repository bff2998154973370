import { describe, expect, inject, it } from 'vitest';
import { DEFAULT_LICENCE } from '#contract/downloads/licence.ts';
import { LICENCE_USES } from '#contract/sounds/sound-facts.ts';
import { FACT_TEXTS } from '#src/lib/fact-texts.ts';

async function read(path: string) {
  const reply = await fetch(new URL(path, inject('siteUrl')));
  const html = await reply.text();
  return { reply, html, cards: html.match(/data-sound="/g)?.length ?? 0 };
}

describe('a search on /sounds', () => {
  it('is truncated in the page, and refused by the API, where it is too long', async () => {
    const text = (length: number) => encodeURIComponent('雨'.repeat(length));
    const { reply, html } = await read(`/sounds?search=${text(10_000)}`);
    expect(reply.status).toBe(200);
    expect(html).toContain(`value="${'雨'.repeat(100)}"`);
    const long = await read(`/api/sounds/?search=${text(1_000)}`);
    expect([long.reply.status, JSON.parse(long.html)]).toEqual([
      400,
      { search: expect.anything() as unknown },
    ]);
    expect((await read(`/api/sounds/?search=${text(10_000)}`)).reply.status).toBe(414);
  });

  it('can be for any text', async () => {
    for (const text of ['%_\'"; drop table sounds;--', 'NEAR(a b) AND *', '"', 'あ'.repeat(100), '👩‍👩‍👧'])
      expect([text, (await read(`/sounds?search=${encodeURIComponent(text)}`)).cards]).toEqual([text, 0]);
    expect((await read('/sounds?search=%00')).cards).toBe(20);
  });
});

it.each([
  ['page=0', 20, '1', 'page=0'],
  ['page=-1', 20, '1', 'page=-1'],
  ['page=abc', 20, '1', 'page=abc'],
  ['page=99999', 6, '3', 'page=3'],
  ['page=4', 6, '3', 'page=3'],
  ['ordering=x', 20, '1', 'ordering=x'],
  ['to=500', 46, '3', 'to=500'],
])('/sounds?%s is the nearest valid page', async (query, cards, shown, address) => {
  const page = await read(`/sounds?${query}`);
  expect(page.cards).toBe(cards);
  const links = page.html.match(/<a[^>]*aria-label="\d+ページ"[^>]*>/g) ?? [];
  const current = links.filter((link) => link.includes('aria-current="true"')).join('');
  expect(current).toContain(`aria-label="${shown}ページ"`);
  expect(new URL(page.reply.url).search).toBe(`?${address}`);
});

it('/sounds names nothing in its headers that a browser would load with a prefetched page', async () => {
  expect((await read('/sounds')).reply.headers.get('link')).toBeNull();
});

it('the page of a sound has metadata for search engines and other sites', async () => {
  const { html: listing } = await read('/sounds?search=最新の戦闘音');
  const id = /data-sound="(\w+)"/.exec(listing)?.[1] ?? '';
  const { reply, html } = await read(`/sounds/${id}`);
  expect(html).toContain('<title>最新の戦闘音 | Otoichi</title>');
  expect(html).toContain(`<link rel="canonical" href="${reply.url}"`);
  expect(html).toMatch(/<meta property="og:audio" content="http[^"]*\/media\/sounds\/[^"]*\.mp3"/);
  const picture = /<meta property="og:image" content="([^"]*)"/.exec(html)?.[1] ?? '';
  expect(picture).toMatch(/\/media\/share\/sounds\/\w+\/[\w-]{6}\.jpg$/);
  expect(html).toContain(`<meta name="twitter:image" content="${picture}"`);
  const drawn = await fetch(picture);
  expect([drawn.status, drawn.headers.get('content-type'), drawn.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=86400',
  ]);
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'AudioObject',
    name: '最新の戦闘音',
    encodingFormat: 'audio/mpeg',
    isAccessibleForFree: true,
    license: expect.stringMatching(/^http.*\/member-terms$/) as unknown,
    acquireLicensePage: reply.url,
    creditText: '「最新の戦闘音」 音の人(Otoichi)',
    copyrightNotice: '© 音の人',
  });
});

it('the page of an artist has a drawn picture, and every page the icons of the site', async () => {
  const { html } = await read('/artist/音の人');
  const picture = /<meta property="og:image" content="([^"]*\/media\/share\/artist\/[^"]*)"/.exec(html)?.[1];
  expect((await fetch(picture ?? '')).status).toBe(200);
  for (const path of ['share.jpg', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png'])
    expect((await read(`/${path}`)).reply.headers.get('content-type')).toMatch(/^image\//);
  const { reply } = await read(/rel="manifest" href="([^"]*)"/.exec(html)?.[1] ?? '');
  expect(reply.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
});

it('password managers are sent to the page where a link for a new password is asked for', async () => {
  const ask = () => fetch(new URL('/.well-known/change-password', inject('siteUrl')), { redirect: 'manual' });
  const reply = await ask();
  expect([reply.status, reply.headers.get('location')]).toEqual([302, '/forgot-password']);
  expect((await read('/.well-known/change-password')).html).toContain('パスワード');
  // A site that answers 200 here has no such address for password managers.
  expect((await read('/.well-known/resource-that-should-not-exist')).reply.status).toBe(404);
  // Without TLS.
  expect((await read('/.well-known/security.txt')).reply.status).toBe(404);
});

it('the site map lists every public sound and its artist, with the day of the last change', async () => {
  const { html: robots } = await read('/robots.txt');
  const { html: index } = await read(new URL(/Sitemap: (.*)/.exec(robots)?.[1] ?? '').pathname);
  const parts = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );
  expect(parts).toEqual(['/sitemap-pages.xml', '/sitemap-1.xml']);
  const { html } = await read('/sitemap-1.xml');
  const { html: reply } = await read('/api/sounds/?page_size=100');
  for (const { id } of (JSON.parse(reply) as { results: { id: string }[] }).results)
    expect(html).toMatch(new RegExp(`/sounds/${id}</loc><lastmod>\\d{4}-\\d\\d-\\d\\dT[^<]*Z</lastmod>`));
  expect(html).toContain(`/artist/${encodeURIComponent('音の人')}</loc><lastmod>`);
  expect((await read('/sitemap-2.xml')).reply.status).toBe(404);
  expect((await read('/sitemap-pages.xml')).html).toContain('/content/');
});

it('the page of a sound, the terms and the filters say the same of what every sound may be used for', async () => {
  const { line } = DEFAULT_LICENCE;
  const { html: terms } = await read('/member-terms');
  expect(terms.split(line)).toHaveLength(2);
  const listed = await read('/sounds?search=静かな雨&use=commercial&-use=songs');
  // Every sound has it: it is no filter of the page.
  expect(listed.html).toContain(
    'data-url="/sounds?search=%E9%9D%99%E3%81%8B%E3%81%AA%E9%9B%A8&amp;-use=songs"',
  );
  expect(listed.cards).toBeGreaterThan(0);
  const ids = [...listed.html.matchAll(/data-sound="(\w+)"/g)].map(([, id]) => id);
  const pages = await Promise.all(ids.map(async (id) => (await read(`/sounds/${id}`)).html));
  for (const html of pages) {
    expect(html.split(line)).toHaveLength(2);
    expect(html).toMatch(/<a class="link" href="\/member-terms"[^>]*>\s*会員規約/);
  }
  const hasAdded = pages.filter((html) => html.includes(`>${FACT_TEXTS.use.name}<`));
  expect(hasAdded.length).toBeGreaterThan(0);
  expect(hasAdded.length).toBeLessThan(pages.length);
  const { html: filters } = await read('/filters');
  const group = filters.split(`aria-label="${FACT_TEXTS.use.name}"`)[1]?.split('</section>')[0] ?? '';
  const chips = [...group.matchAll(/id="fact-use-([a-z-]+)"/g)].map(([, use]) => use);
  expect(chips).toEqual(LICENCE_USES.filter((use) => !DEFAULT_LICENCE.uses.includes(use)));
});

import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FACT_FILTERS, FACT_NAMES, FACT_PARAMETERS } from '#contract/sounds/sound-facts.ts';
import { INTERNAL_PAGES, PLAIN_PAGES, toPageTarget } from '#src/render/page-targets.ts';
import { CONSOLE_PAGES } from '#src/render/console-pages.ts';
import { parseSoundFilters } from '#src/lib/sound-filters.ts';

const isSoundId = (id: string) => /^[0-9A-Za-z]{1,40}$/.test(id);
const toTarget = (url: string) => {
  const [path = '', query = ''] = url.split('?');
  return toPageTarget(path, query, { isSoundId });
};

describe('the address that a page is rendered and cached under', () => {
  it.each([
    ['/', '/?utm_source=x'],
    ['/login', '/login/?user=1&token=2'],
    ['/profile/statement', '/profile/statement?month=2026-11'],
    ['/sounds', '/sounds?to=5.123'],
    ['/sounds', '/sounds/?page=1&to=1&ordering=-created&utm_source=x&__proto__=y'],
    ['/sounds', '/sounds?page=0&page=2'],
    ['/sounds', '/sounds?type=%00&is_ai_generated=1&ordering=x&sub_genres='],
    ['/sounds?search=%E9%9B%A8&page=2', '/sounds?page=2&search=雨'],
    ['/sounds?search=%E9%9B%A8&page=2', '/sounds?to=2&page=002&search=%e9%9b%a8&search=x'],
    ['/sounds?sub_genres=1&sub_genres=2', '/sounds?sub_genres=2&sub_genres=1&sub_genres=2'],
    [
      '/sounds?mood=bright&mood=calm&-mood=sad',
      '/sounds?-mood=sad&mood=calm&mood=bright&mood=calm&-mood=calm',
    ],
    [
      '/sounds?length=0-10&length=300-&use=video',
      '/sounds?use=video&use=x&length=300-&length=0-10&vocals=maybe',
    ],
    ['/sounds?page=100', '/sounds?page=99999999'],
    ['/sounds?page=100', '/sounds?page=2000&to=3000'],
    ['/fragments/sounds', '/fragments/sounds/?more=1&utm_source=x'],
    ['/fragments/sounds?search=a', '/fragments/sounds?more=1&to=1&search=a'],
    ['/fragments/sounds?page=2&to=3&more=1', '/fragments/sounds?to=3&more=yes&page=2'],
    ['/sounds/abc', '/sounds/abc/?to=2'],
    ['/sounds/-', '/sounds/a.b'],
    ['/sounds/abc/report', '/sounds/abc/report/?to=2#x'],
    ['/sounds/-/report', '/sounds/a.b/report'],
    ['/report', '/report?token=1'],
    ['/sounds/-', `/sounds/${'a'.repeat(41)}`],
    ['/artist/%E9%9F%B3', '/artist/%e9%9f%b3?search=x&to=3'],
    ['/artist/a%40b?type=2&page=3', '/artist/a@b?page=3&type=2&to=5'],
    ['/artist/-', `/artist/${'a'.repeat(151)}`],
    ['/artist/-', '/artist/%07'],
    ['/content/about', '/content/about?page=2'],
    [`/certificates/${'a-_'.repeat(7)}Z`, `/certificates/${'a-_'.repeat(7)}Z/?x=1`],
    ['/404', '/certificates/a'],
    ['/404', `/certificates/${'a'.repeat(22)}/report`],
    [`/certificates/${'a'.repeat(22)}/use`, `/certificates/${'a'.repeat(22)}/use/?x=1`],
    ['/404', '/certificates/a/use'],
    ['/404', '/sounds/abc/use'],
    [`/licences/${'0a'.repeat(32)}`, `/licences/${'0a'.repeat(32)}?x=1`],
    ['/404', `/licences/${'0A'.repeat(32)}`],
    ['/feed', '/feed/?page=2&to=3&ordering=-downloads&x=1'],
    ['/feed?search=a&type=2', '/feed?ordering=-created&type=2&search=a'],
    ['/feed/artist/a%40b', '/feed/artist/a@b/?page=3&type=2'],
    ['/feed/artist/-', `/feed/artist/${'a'.repeat(151)}`],
    ['/embed/sounds/abc', '/embed/sounds/abc/?autoplay=1'],
    ['/embed/sounds/-', '/embed/sounds/a.b'],
    ['/404', '/embed/sounds/abc/report'],
    ['/404', '/embed/artist/abc'],
    ['/oembed', '/oembed/?format=json&maxwidth=480&maxheight=-1&x=2'],
    ['/oembed?url=a&format=xml&maxwidth=200', '/oembed?maxwidth=0200&format=xml&url=a&url=b'],
    ['/oembed?url=a&format=-', '/oembed?format=yaml&url=a'],
    ['/oembed?url=-', `/oembed?url=https://site.test/sounds/1${'x'.repeat(2000)}`],
    ['/sitemap.xml', '/sitemap.xml?x=1'],
    ['/sitemap-pages.xml', '/sitemap-pages.xml?x=1'],
    ['/sitemap-12.xml', '/sitemap-12.xml'],
    ['/404', '/sitemap-0.xml'],
    ['/404', '/sitemap-012345.xml'],
    ['/404', '/sitemap-artists.xml'],
    ['/404', '/feed/artist'],
    ['/404', '/feed/sounds/a'],
    ['/404', '/feed/artist/a/report'],
    ['/404', '/nope'],
    ['/404', '/500'],
    ['/404', '/unavailable/'],
    ['/404', '/maintenance?x=1'],
    ['/404', '/sounds/a/b'],
    ['/404', '/sounds/report/a/report'],
    ['/404', '/artist/a/report'],
    ['/404', '/Sounds'],
    ['/404', '/artist/'],
  ])('is %s for %s', (target, url) => {
    expect(toTarget(url)).toBe(target);
  });

  it('is that of the 404 page for pages of the staff, except for the staff', () => {
    for (const path of CONSOLE_PAGES) {
      expect(toTarget(path)).toBe('/404');
      expect(toPageTarget(`${path}/`, 'id=1', { isStaff: true })).toBe(path);
    }
    expect(toPageTarget('/operator/x', '', { isStaff: true })).toBe('/404');
  });

  it('accepts any text as the id of another host’s sound', () => {
    expect(toPageTarget('/sounds/a.b%2Fc', '')).toBe('/sounds/a.b~2Fc');
  });

  it('has bounded length, is canonical, and shows what was requested', () => {
    const names = fc.constantFrom(
      'search',
      'type',
      'sub_genres',
      'is_ai_generated',
      ...FACT_PARAMETERS,
      'ordering',
      'page',
      'to',
      'more',
    );
    const values = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom(...Object.values(FACT_FILTERS).flatMap<string>(({ values }) => values)),
      fc.constantFrom('true', '-downloads', '雨 の\u0000', 'あ'.repeat(150), '\ud800', '&=%', '\u3000'),
    );
    const path = fc.constantFrom(
      '/sounds',
      '/sounds/',
      '/filters',
      '/fragments/sounds',
      '/artist/a',
      '/feed',
      '/sounds/x',
      '/content/y',
      '/z',
    );
    fc.assert(
      fc.property(path, fc.array(fc.tuple(names, values), { maxLength: 8 }), (path, pairs) => {
        const params = new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]));
        const target = toPageTarget(path, params.toString());
        expect(toTarget(target)).toBe(target);
        expect(target.length).toBeLessThan(25_000);
        if (!path.startsWith('/sounds') || path === '/sounds/x') return;
        const rendered = new URLSearchParams(target.split('?')[1]);
        expect(parseSoundFilters(rendered)).toEqual(parseSoundFilters(params));
      }),
    );
  });

  it('reads its own addresses whole, however much is chosen', () => {
    const ids = Array.from({ length: 10 }, (_, index) => `sub_genres=${index}`).join('&');
    const facts = FACT_NAMES.flatMap((name) =>
      FACT_FILTERS[name].values.map((value, index) => `${index % 2 === 0 ? name : `-${name}`}=${value}`),
    ).join('&');
    const target = toTarget(`/sounds?search=a&type=1&is_ai_generated=true&${facts}&page=2&to=3`);
    const all = toTarget(`${target}&${ids}&ordering=-downloads`);
    expect(all.split(/[?&]/)).toHaveLength(79);
    expect(toTarget(all)).toBe(all);
  });

  it('uses a bounded part of a query', () => {
    expect(toTarget(`/sounds?search=${'あ'.repeat(10_000)}&type=2`)).toBe(
      `/sounds?search=${encodeURIComponent('あ'.repeat(100))}&type=2`,
    );
    expect(toTarget(`/sounds?${'a=1&'.repeat(20_000)}page=2`)).toBe('/sounds');
  });

  it('covers every page of src/pages', () => {
    const pages = readdirSync('src/pages', { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(
        ({ parentPath, name }) =>
          `${parentPath}/${name}`.replace(/^src\/pages|(?:\/index)?\.(?:astro|ts)$/g, '') || '/',
      );
    const known = [
      ...PLAIN_PAGES,
      ...INTERNAL_PAGES,
      '/operator/[...page]',
      '/sounds',
      '/filters',
      '/fragments/sounds',
      '/sounds/[id]',
      '/sounds/[id]/report',
      '/artist/[username]',
      '/embed/sounds/[id]',
      '/feed',
      '/feed/artist/[username]',
      '/oembed',
      '/sitemap-[part].xml',
      '/content/[slug]',
      '/certificates/[id]',
      '/certificates/[id]/use',
      '/licences/[hash]',
    ];
    expect(pages.toSorted()).toEqual(known.toSorted());
  });

  it('has an island for each page of the staff', () => {
    const source = readFileSync('src/pages/operator/[...page].astro', 'utf8');
    const named = [...source.matchAll(/\{page === '(.*)' && <\w+ client:when="load" \/>\}/g)].map(
      ([, page]) => (page === '' ? '/operator' : `/operator/${page}`),
    );
    expect(named).toEqual([...CONSOLE_PAGES]);
  });
});

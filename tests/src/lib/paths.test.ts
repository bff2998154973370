import { describe, expect, it } from 'vitest';
import { parseTarget } from '#server/web/targets.ts';
import { artistPath, contentPath, readPathName, soundPath } from '#src/lib/paths.ts';
import { toPageTarget } from '#src/render/page-targets.ts';

/** Names with everything that a URL gives a meaning to. */
const NAMES = [
  '音の人',
  'Rock & Roll',
  'a.b-c_d',
  'ねこ・いぬ',
  "a+b=c,d;e:f@g$h#i?j/k!'()*",
  ...'+&:=,?#/@;$%\\~^|`"<>[]{} '.split('').map((character) => `a${character}b`),
  'a%2Fb',
  '50%40off',
  '%',
  '%41',
  '100%25',
  'a~2Fb',
  'a~7E2Fb',
  '~',
  '.',
  '..',
  '...',
  '~2E',
  '/',
  '//',
  '\\',
  '../../profile',
  'index.html',
  'about.html',
  'a.html~2E',
  '.html',
];

/** The path parameter as Astro passes it to a page: decoded until nothing but reserved characters is encoded. */
function toParameter(path: string): string {
  for (let decoded = path.replace(/(?:\/index)?\.html$/, ''); ;) {
    const next = decodeURI(decoded);
    if (next === decoded) return decoded.split('/')[2] ?? '';
    decoded = next;
  }
}

describe.each([
  ['an artist', artistPath],
  ['a page of the operator', contentPath],
  ['a sound of another host', soundPath],
])('the address of %s', (_, toPath) => {
  it.each(NAMES)('leads a browser, the server and the page to the name %j', (name) => {
    const path = toPath(name);
    // Browsers, proxies and `Request` normalise it.
    expect(new URL(path, 'http://site.test').pathname).toBe(path);
    const target = parseTarget(path);
    expect(toPageTarget(target?.path ?? '', target?.query ?? '')).toBe(path);
    expect(readPathName(toParameter(path))).toBe(name);
  });
});

it('differs for every two names', () => {
  expect(new Set(NAMES.map(artistPath)).size).toBe(NAMES.length);
});

it.each([
  ['/artist/50%25', '/artist/50~25'],
  ['/artist/a%252Fb', '/artist/a~252Fb'],
  ['/artist/Rock%20&%20Roll', '/artist/Rock%20%26%20Roll'],
  ['/content/a+b', '/content/a%2Bb'],
])('the standard encoding %s shows the page at %s', (address, path) => {
  expect(toPageTarget(parseTarget(address)?.path ?? '', '')).toBe(path);
});

it.each([undefined, '100%', '%zz', '%E3%81'])('no name is read from %j', (segment) => {
  expect(readPathName(segment)).toBe('');
});

it('a lone surrogate breaks no link', () => {
  expect(artistPath('a\ud800')).toBe('/artist/a%EF%BF%BD');
});

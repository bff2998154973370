import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSafePath } from '#src/islands/account/redirects.ts';

const ORIGIN = 'https://otoichi.example';
const TAB = '\t';

describe('the redirect target after log-in', () => {
  it.each([
    ['/', '/'],
    ['/profile', '/profile'],
    ['/profile/', '/profile/'],
    ['/sounds?search=雨&page=2', '/sounds?search=%E9%9B%A8&page=2'],
    ['/sounds?search=https://evil.example', '/sounds?search=https://evil.example'],
    ['/artist/%E9%9F%B3', '/artist/%E9%9F%B3'],
    ['/artist/音の人', '/artist/%E9%9F%B3%E3%81%AE%E4%BA%BA'],
    ['/sounds/abc#player', '/sounds/abc#player'],
    ['/a/../sounds', '/sounds'],
    ['/@evil.example', '/@evil.example'],
    ['/:80', '/:80'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/／evil.example', '/%EF%BC%8Fevil.example'],
    ['/javascript:alert(1)', '/javascript:alert(1)'],
    ['/login-help', '/login-help'],
    ['/registered', '/registered'],
    ['/content/login', '/content/login'],
    ['/a%', '/a%'],
  ])('%j is accepted', (text, path) => expect(toSafePath(text)).toBe(path));

  it.each([
    null,
    '',
    ' ',
    'profile',
    './profile',
    '../profile',
    '?redirect=/x',
    '#x',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '//evil.example/profile',
    '//otoichi.example@evil.example',
    '//user:secret@evil.example',
    '//evil.example:443',
    '//[::1]/',
    '//0x7f.1',
    '//',
    '/\\evil.example',
    '/\\/evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/sounds\\..\\..\\evil',
    `/${TAB}/evil.example`,
    `${TAB}//evil.example`,
    '/\n/evil.example',
    '/\r/evil.example',
    '/\r\n/evil.example',
    '/\u0000/evil.example',
    '\u0000//evil.example',
    '/\u007f/evil.example',
    '/\u0085/evil.example',
    '/\u2028/evil.example',
    '/\u00a0/evil.example',
    '/\u3000profile',
    ' /profile',
    ' //evil.example',
    '/profile ',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    '/x/%2E%2E//evil.example',
    '/.///evil.example',
    '/./\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'HTTPS://EVIL.EXAMPLE',
    'http:profile',
    'https://otoichi.example/profile',
    'https://otoichi.example@evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    `java${TAB}script:alert(1)`,
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://otoichi.example/x',
    'mailto:a@evil.example',
    '@evil.example',
    ':80',
    '／／evil.example',
    '/login',
    '/login/',
    '/login//',
    '/login?redirect=/login',
    '/login#x',
    '/x/../login',
    '/%6cogin',
    '/%6C%6F%67%69%6E',
    '/register',
    '/register/',
    '/register?x=1',
    '/./register',
    `/${'a'.repeat(2_048)}`,
  ])('%j is rejected', (text) => expect(toSafePath(text)).toBeNull());

  it('never leads to another origin, and is unchanged when it is parsed again', () => {
    const part = constantFrom(
      ...'/|//|\\|.|..|@|:|%2e|%2f|%5c|%09|?|#|evil.example|https:|\t|\n|\r| |\0|　|。|／|login|a|[|]|%'.split(
        '|',
      ),
    );
    assert(
      property(array(part, { maxLength: 8 }), (parts) => {
        const path = toSafePath(`/${parts.join('')}`);
        if (path === null) return;
        expect(path.startsWith('/')).toBe(true);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
        expect(new URL(path, 'http://127.0.0.1:4321/login?redirect=x').origin).toBe('http://127.0.0.1:4321');
        expect(toSafePath(path)).toBe(path);
      }),
      { numRuns: 5_000 },
    );
  });
});

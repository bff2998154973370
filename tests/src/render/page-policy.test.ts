import { describe, expect, it } from 'vitest';
import { isNetworkAdPage } from '#src/lib/ad-pages.ts';
import { widenPolicy } from '#src/render/page-policy.ts';

/** The policy that Astro generates. */
const STRICT =
  "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; script-src 'self' 'sha256-a' 'sha256-b'; style-src 'self' 'sha256-c';";

function parse(policy: string): Record<string, string> {
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

describe('the policy of a page', () => {
  it('allows an ad network by https, and leaves the rest unchanged', () => {
    expect(parse(widenPolicy(STRICT, { origins: [], hasNetworkAds: true }))).toEqual({
      'default-src': "'self'",
      'img-src': "'self' data: blob: https:",
      'media-src': "'self' blob: https:",
      'connect-src': "'self' https:",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'script-src': "'self' 'sha256-a' 'sha256-b' https: 'unsafe-eval'",
      'style-src': "'self' 'unsafe-inline'",
      'frame-src': 'https:',
    });
  });

  it('restricts scripts in the page to those with a hash', () => {
    const policy = parse(widenPolicy(STRICT, { origins: [], hasNetworkAds: true }));
    expect(policy['script-src']).not.toContain('unsafe-inline');
  });

  it('allows another API host for calls, pictures and media only', () => {
    const origins = ['http://api.test', 'https://files.test'];
    expect(parse(widenPolicy(STRICT, { origins, hasNetworkAds: false }))).toEqual({
      ...parse(STRICT.slice(0, -1)),
      'img-src': "'self' data: blob: http://api.test https://files.test",
      'media-src': "'self' blob: http://api.test https://files.test",
      'connect-src': "'self' http://api.test https://files.test",
    });
  });
});

it('of the player for other sites allows files of another host, and no calls', () => {
  const policy = "default-src 'none'; img-src 'self'; media-src 'self'; frame-ancestors *";
  expect(widenPolicy(policy, { origins: ['https://files.test'], hasNetworkAds: false })).toBe(
    "default-src 'none'; img-src 'self' https://files.test; media-src 'self' https://files.test; frame-ancestors *",
  );
});

describe('ads of a network', () => {
  it.each([
    '/',
    '/sounds',
    '/sounds/',
    '/sounds/abc',
    '/sounds/%E9%9F%B3',
    '/artist/%E9%9F%B3%E3%81%AE%E4%BA%BA',
    '/artist/a/',
  ])('are allowed on %s', (path) => expect(isNetworkAdPage(path)).toBe(true));

  it.each([
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/profile',
    '/profile/statement',
    '/profile/reports',
    '/profile/sounds',
    '/profile/uses',
    `/certificates/${'a'.repeat(22)}/use`,
    '/contact',
    '/operator',
    '/operator/sounds',
    '/member-terms',
    '/privacy-policy',
    '/content/sounds',
    '/legal/external-transmission',
    '/report',
    '/sounds/abc/report',
    '/sounds/abc/edit',
    '/embed/sounds/abc',
    '/artist',
    '/soundsx',
    '/login/sounds',
  ])('are not allowed on %s', (path) => expect(isNetworkAdPage(path)).toBe(false));
});

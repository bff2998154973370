import { describe, expect, inject, it } from 'vitest';
import { GPT_SETTINGS } from '../browser/support/gpt.ts';
import { useSite } from '../browser/support/sites.ts';

const site = useSite(GPT_SETTINGS);
const ARTIST = `/artist/${encodeURIComponent('音の人')}`;
/** Two pages of each kind; tests/src/render/page-policy.test.ts covers every page. */
const WITH_DOWNLOADS = ['/sounds', ARTIST];
const STRICT = ['/login', '/content/about'];

async function readHead(url: string) {
  const response = await fetch(url, { redirect: 'manual' });
  return {
    policy: response.headers.get('content-security-policy') ?? '',
    opener: response.headers.get('cross-origin-opener-policy'),
    html: await response.text(),
  };
}

/** Without the hashes, which may differ between pages. */
const toRule = (policy: string) => policy.replaceAll(/'sha256-[^']+' ?/g, '').replaceAll(/;\s*/g, ';');

describe('with an ad network enabled', () => {
  it.each(WITH_DOWNLOADS)('%s allows it by https, and scripts in the page by hash alone', async (path) => {
    const { policy, opener, html } = await readHead(site.url + path);
    expect(policy).toMatch(/script-src 'self' ('sha256-[^']+' )+https: 'unsafe-eval'/);
    expect(policy).toContain('frame-src https:');
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(opener).toBe('same-origin-allow-popups');
    expect(html).toContain('name="ad-unit"');
  });

  it.each(STRICT)('%s has exactly the policy that it has without one', async (path) => {
    const [own, plain] = await Promise.all([readHead(site.url + path), readHead(inject('siteUrl') + path)]);
    expect(toRule(own.policy)).toBe(toRule(plain.policy));
    expect(own.policy).not.toMatch(/https:|unsafe/);
    expect(own.opener).toBe('same-origin');
    expect(own.html).not.toContain('name="ad-unit"');
  });

  it.each([...WITH_DOWNLOADS, ...STRICT])('%s loads nothing from other origins on load', async (path) => {
    const { html } = await readHead(site.url + path);
    expect(html).not.toMatch(/googlesyndication|doubleclick|googletag/);
    expect(html).not.toMatch(/<(?:script|iframe|img)[^>]+src="(?:https?:)?\/\//);
  });
});

describe('without an ad network', () => {
  it.each(WITH_DOWNLOADS)('%s allows no other origin', async (path) => {
    const { policy, opener, html } = await readHead(inject('siteUrl') + path);
    expect(policy).not.toMatch(/https:|unsafe|frame-src/);
    expect(opener).toBe('same-origin');
    expect(html).not.toContain('name="ad-unit"');
  });
});

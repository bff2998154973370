import { describe, expect, it } from 'vitest';
import { toSecurityText } from '#src/render/security-text.ts';

const SITE = { siteUrl: 'https://sounds.example', securityContact: '', securityPolicy: '' };
const NOW = new Date('2026-11-28T22:10:00Z');
const toText = (settings: Partial<typeof SITE> = {}, hasContactPage = true, now = NOW) =>
  toSecurityText({ ...SITE, ...settings }, { hasContactPage, now });

describe('the text of security.txt', () => {
  it('names the contact page unless the operator has set a contact', () => {
    expect(toText()).toBe(
      [
        'Contact: https://sounds.example/contact',
        'Expires: 2027-02-26T00:00:00.000Z',
        'Preferred-Languages: ja, en',
        'Canonical: https://sounds.example/.well-known/security.txt',
        '',
      ].join('\n'),
    );
    const securityContact = 'mailto:security@sounds.example';
    expect(toText({ securityContact }, false)).toContain(`Contact: ${securityContact}\n`);
  });

  it('names the policy of the operator', () => {
    const securityPolicy = 'https://sounds.example/content/security';
    expect(toText({ securityPolicy })).toMatch(/\nPolicy: https:\/\/sounds\.example\/content\/security\n$/);
  });

  it('is the same all day, and always valid for more than a month and less than a year', () => {
    expect(toText({}, true, new Date('2026-11-28T00:00:00Z'))).toBe(toText());
    for (const at of ['2026-12-31T23:59:59Z', '2028-02-29T12:00:00Z']) {
      const until = Date.parse(/^Expires: (.*)$/m.exec(toText({}, true, new Date(at)) ?? '')?.[1] ?? '');
      const days = (until - Date.parse(at)) / 86_400_000;
      expect(days).toBeGreaterThan(31);
      expect(days).toBeLessThan(365);
    }
  });

  it('does not exist without TLS, or where nobody can be written to', () => {
    expect(toText({ siteUrl: 'http://sounds.example', securityContact: 'mailto:a@b.example' })).toBeNull();
    expect(toText({}, false)).toBeNull();
  });
});

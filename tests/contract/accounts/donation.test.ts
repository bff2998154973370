import { describe, expect, it } from 'vitest';
import { toDonationUrl } from '#contract/accounts/donation.ts';

describe('a donation link (spec §5)', () => {
  it.each([
    ['https://ofuse.me/nagi', 'https://ofuse.me/nagi'],
    ['ofuse.me/nagi', 'https://ofuse.me/nagi'],
    ['www.ofuse.me/nagi/x?y=1', 'https://www.ofuse.me/nagi/x?y=1'],
    ['http://ofuse.me/nagi', 'https://ofuse.me/nagi'],
    ['https://ofuse.me/@nagi?ref=a@b', 'https://ofuse.me/@nagi?ref=a@b'],
    [' OFUSE.me/なぎ ', 'https://ofuse.me/%E3%81%AA%E3%81%8E'],
  ])('takes %s', (text, url) => {
    expect(toDonationUrl(text, 'ofuse.me')).toBe(url);
  });

  it.each([
    '',
    'https://ofuse.me',
    'https://ofuse.me/',
    'https://evil.test/ofuse.me/x',
    'https://ofuse.me.evil.test/x',
    'https://evil-ofuse.me/x',
    'https://user@ofuse.me/x',
    'https://ofuse.me@evil.test/x',
    'https://ofuse.me:8443/x',
    'javascript:alert(1)//ofuse.me/x',
    'data:text/html,ofuse.me/x',
    '//evil.test/x',
    'ftp://ofuse.me/x',
    'https:\\\\evil.test/x',
    'ofuse.me /x',
  ])('refuses %j', (text) => {
    expect(toDonationUrl(text, 'ofuse.me')).toBeNull();
  });
});

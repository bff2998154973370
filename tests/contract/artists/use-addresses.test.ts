import { describe, expect, test } from 'vitest';
import { USE_ADDRESS_LENGTH_MAX, toHostName, toUseAddress } from '#contract/artists/use-addresses.ts';

describe('the address of a work', () => {
  test.each([
    ['https://video.example.com/watch?v=1&t=5#a', 'https://video.example.com/watch?v=1&t=5#a'],
    ['  HTTP://Video.Example.com ', 'http://video.example.com/'],
    ['video.example.com/a', 'https://video.example.com/a'],
    ['https://video.example.com:443/a', 'https://video.example.com/a'],
    [
      'https://例え.jp/作品?題=夜 雨',
      'https://xn--r8jz45g.jp/%E4%BD%9C%E5%93%81?%E9%A1%8C=%E5%A4%9C%20%E9%9B%A8',
    ],
    ['https://a.example.com/../b/"><script>', 'https://a.example.com/b/%22%3E%3Cscript%3E'],
  ])('%j is stored as %j', (text, address) => {
    expect(toUseAddress(text)).toBe(address);
    // As it is read from a reply.
    expect(toUseAddress(address)).toBe(address);
  });

  test.each([
    '',
    ' ',
    'https://',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0000javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://video.example.com/1',
    'file:///etc/passwd',
    'ftp://video.example.com/',
    'view-source:https://video.example.com/',
    'intent://video.example.com/#Intent;end',
    'mailto:a@video.example.com',
    // Credentials, which readers take for the host.
    'https://video.example.com@evil.example.com/',
    'https://user:pw@video.example.com/',
    'https://@video.example.com:80@evil.example.com/',
    String.raw`https://video.example.com\@evil.example.com/`,
    String.raw`https:\\evil.example.com`,
    'https:evil.example.com',
    'https:///evil.example.com',
    '//evil.example.com/',
    // Machines and networks of the reader.
    'http://localhost/',
    'http://localhost:3000/',
    'http://router/',
    'http://router.local/',
    'http://db.internal/',
    'http://192.168.0.1/reboot',
    'http://3232235521/',
    'http://0xc0.0xa8.0.1/',
    'http://[::1]/',
    'http://１９２.１６８.０.１/',
    'https://video.example.com:8443/',
    'https://video.example.com./',
    'https://video..example.com/',
    'https://-video.example.com/',
    'https://vi%00deo.example.com/',
    `https://${'a.'.repeat(150)}com/`,
    `https://video.example.com/${'a'.repeat(USE_ADDRESS_LENGTH_MAX)}`,
    `https://video.example.com/${'あ'.repeat(USE_ADDRESS_LENGTH_MAX / 8)}`,
  ])('%j is none', (text) => {
    expect(toUseAddress(text)).toBeNull();
  });

  test.each([
    // Cyrillic a; a fraction slash that looks like the end of the host; a letter of another width.
    ['https://www.p\u0430ypal.com/', 'www.xn--pypal-4ve.com'],
    ['https://ＥＸＡＭＰＬＥ.com/', 'example.com'],
    ['https://video.example.com\u2044.evil.com/', null],
    ['https://exa\u200bmple.com/', 'example.com'],
    ['https://moc.elpmaxe\u202e.com/', 'moc.elpmaxe.com'],
  ])('the host of %j is shown as %j', (text, host) => {
    const address = toUseAddress(text);
    if (host === null) expect(toHostName(address ?? '')).toMatch(/^$|xn--/);
    else expect(toHostName(address ?? '')).toBe(host);
  });

  test('the largest text of a body takes no time', () => {
    for (const part of ['a.', 'https://', '\u202e', '@', '\\', 'xn--', '%'])
      expect(toUseAddress(part.repeat(65_536 / part.length))).toBeNull();
  });
});

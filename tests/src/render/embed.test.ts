import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import { readSoundId, toEmbedCode, toOembed } from '#src/render/embed.ts';
import { toEmbedHtml } from '#src/render/embed-html.ts';
import { parsePublicSettings } from '#server/web/public-settings.ts';

const SITE = 'https://site.test';
const settings = parsePublicSettings({ SITE_URL: SITE, API_ORIGIN: 'https://api.test', SITE_NAME: '音の市' });
const MARKUP = '"><script>alert(1)</script>\'&\u0000';
const sound = v.parse(lenient(SoundSchema), {
  id: 'a"b',
  title: MARKUP,
  artist_name: MARKUP,
  file_url: '/media/sounds/1/2.mp3',
  duration_ms: 8000,
});

describe('the address of a sound', () => {
  it.each([
    [`${SITE}/sounds/abc`, 'abc'],
    [`${SITE}/sounds/abc/?utm_source=x#here`, 'abc'],
    ['HTTPS://SITE.test:443/sounds/%E9%9F%B3', '音'],
    [`${SITE}/x/../sounds/abc`, 'abc'],
  ])('%s is recognised', (address, id) => expect(readSoundId(address, SITE)).toBe(id));

  it.each([
    '',
    'abc',
    '/sounds/abc',
    '//site.test/sounds/abc',
    'http://site.test/sounds/abc',
    'https://other.test/sounds/abc',
    'https://site.test.other.test/sounds/abc',
    'https://site.test:8443/sounds/abc',
    'https://other.test/?https://site.test/sounds/abc',
    'https://other.test#@site.test/sounds/abc',
    'https://user@site.test/sounds/abc',
    'https://site.test@other.test/sounds/abc',
    'https://user:word@site.test/sounds/abc',
    'blob:https://site.test/sounds/abc',
    'javascript:alert(1)//site.test/sounds/abc',
    'file:///sounds/abc',
    `${SITE}/sounds/`,
    `${SITE}/sounds/a%2Fb`,
    `${SITE}/sounds/a%5Cb`,
    `${SITE}/sounds/a%00b`,
    `${SITE}/sounds/%E9`,
    `${SITE}/sounds/..%2f..%2fapi`,
    `${SITE}/sounds/abc/report`,
    `${SITE}/embed/sounds/abc`,
    `${SITE}/artist/abc`,
    `${SITE}/sounds%2Fabc`,
  ])('is not %s', (address) => expect(readSoundId(address, SITE)).toBeNull());
});

describe('the HTML for other sites', () => {
  it('escapes what members write', () => {
    const code = toEmbedCode(sound, SITE);
    const html = toEmbedHtml(sound, settings, { style: '', script: '' });
    for (const text of [code, html]) {
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&apos;&amp;');
    }
    expect(code).toContain(`src="${SITE}/embed/sounds/a%22b"`);
    expect(html).not.toContain('\u0000');
  });

  it('has no player without a file, and no sound when there is none', () => {
    const assets = { style: '', script: '' };
    expect(toEmbedHtml({ ...sound, file_url: null }, settings, assets)).not.toContain('<audio');
    const absent = toEmbedHtml(null, settings, assets);
    expect(absent).toContain('このサウンドは公開されていません。');
    expect(absent).not.toContain('canonical');
  });

  it('is no larger than asked for, and names a picture only with its size', () => {
    const size = { width: 200, height: 90 };
    const reply = toOembed(sound, settings, size);
    expect(reply).toMatchObject({ version: '1.0', type: 'rich', ...size, provider_url: `${SITE}/` });
    expect(reply['html']).toContain('width="200" height="90"');
    expect(reply).not.toHaveProperty('thumbnail_url');
    const withPicture = { ...sound, thumbnail_url: '/media/pictures/0/320.webp' };
    expect(toOembed(withPicture, settings, size)).not.toHaveProperty('thumbnail_url');
    expect(toOembed(withPicture, settings, { width: 320, height: 320 })).toMatchObject({
      thumbnail_url: `${SITE}/media/pictures/0/320.webp`,
      thumbnail_width: 320,
      thumbnail_height: 320,
    });
    expect(toOembed({ ...sound, thumbnail_url: 'https://x.test/p.png' }, settings, size)).not.toHaveProperty(
      'thumbnail_url',
    );
  });
});

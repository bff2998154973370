import { describe, expect, test } from 'vitest';
import { hideSecrets } from '#server/platform/http/secrets-in-urls.ts';
import { startWeb } from '#support/http/web.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

describe('hideSecrets', () => {
  test.each([
    ['/login?user=Ab12&token=s3cret', '/login?user=…&token=…'],
    ['/reset-password?uid=Ab12&token=s3cret&x=1', '/reset-password?uid=…&token=…&x=1'],
    ['/profile?message_email_token=s3cret', '/profile?message_email_token=…'],
    ['/undo?token=s3cret', '/undo?token=…'],
    ['/reset-password?x=1&TOKEN=s3cret#top', '/reset-password?x=1&TOKEN=…#top'],
    ['/profile?email_token=s3cret', '/profile?email_token=…'],
    ['/profile?x=1&email_token=s3cret&y=2', '/profile?x=1&email_token=…&y=2'],
    ['/login?redirect=%2Fprofile%3Femail_token%3Ds3cret', '/login?redirect=%2Fprofile%3Femail_token%3D…'],
    ['/login?redirect=%2Fx%3Fa%3D1%26token%3Ds3cret&y=2', '/login?redirect=%2Fx%3Fa%3D1%26token%3D…&y=2'],
    ['/api/account/verify-email/Ab12/s3cret/', '/api/account/verify-email/…/'],
    ['/api/account/verify-email/Ab12/s3cret', '/api/account/verify-email/…'],
    ['/api/account/verify-email/Ab12/s3cret/?x=1', '/api/account/verify-email/…/?x=1'],
    ['/media/downloads/a?expires=1&signature=s3cret', '/media/downloads/a?expires=1&signature=…'],
    [
      '/api/sounds/a/download?log=true&intent=s3cret&provider=gpt',
      '/api/sounds/a/download?log=true&intent=…&provider=gpt',
    ],
    ['/api/sounds/a/download?intent=s3cret', '/api/sounds/a/download?intent=…'],
    ['/api/download-intents/s3cret/watching', '/api/download-intents/…/watching'],
    ['/api/download-intents/s3cret/watching/?x=1', '/api/download-intents/…/watching/?x=1'],
    ['/api/download-intents/s3cret', '/api/download-intents/…'],
    ['/api/certificates/s3cret/?x=1', '/api/certificates/…/?x=1'],
    ['/certificates/s3cret', '/certificates/…'],
    ['/api/sounds/a/download-intents', '/api/sounds/a/download-intents'],
    ['/sounds?intents=1', '/sounds?intents=1'],
    ['/sounds?search=token&page=2', '/sounds?search=token&page=2'],
    ['/sounds?tokens=1', '/sounds?tokens=1'],
    ['', ''],
  ])('writes %s as %s', (url, written) => {
    expect(hideSecrets(url)).toBe(written);
  });

  test('runs in bounded time for any input', async () => {
    const tookMs = await measureProcessorMs(() => {
      hideSecrets(`/verify-email/${'/verify-email/'.repeat(10_000)}${'?token='.repeat(10_000)}`);
      hideSecrets('&token=&'.repeat(20_000));
      hideSecrets('/download-intents/'.repeat(20_000));
    });
    expect(tookMs).toBeLessThan(200);
  });
});

test('the request log contains no account links, signed addresses or download ids', async () => {
  const { get, lines } = await startWeb();
  for (const path of [
    '/login?user=Ab12&token=s3cret',
    '/profile?email_token=s3cret',
    '/api/account/verify-email/Ab12/s3cret/',
    '/media/downloads/a?expires=1&signature=s3cret',
    '/api/sounds/a/download?log=true&intent=s3cret',
    '/api/download-intents/s3cret/watching',
  ]) {
    await (await get(path)).text();
  }
  await expect.poll(() => lines.length).toBe(6);
  expect(lines.join('')).not.toMatch(/s3cret|Ab12/);
  expect(lines.map((line) => (JSON.parse(line) as { url: string }).url)).toEqual([
    '/login?user=…&token=…',
    '/profile?email_token=…',
    '/api/account/verify-email/…/',
    '/media/downloads/a?expires=1&signature=…',
    '/api/sounds/a/download?log=true&intent=…',
    '/api/download-intents/…/watching',
  ]);
});

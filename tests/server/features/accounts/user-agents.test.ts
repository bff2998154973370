import { expect, test } from 'vitest';
import { describeDevice } from '#server/features/accounts/user-agents.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Windows の Chrome'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`,
    'Windows の Edge',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Android の Chrome'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`, 'Mac の Safari'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Linux の Firefox'],
  ['curl/8.5.0', '不明な端末'],
  ['<a href="https://evil.test">Windows</a> Chrome/', 'Windows の Chrome'],
  [undefined, '不明な端末'],
])('the device of %s is %s in a mail', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});

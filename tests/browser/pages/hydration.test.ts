import { expect, it } from 'vitest';
import { depth } from '#support/depth.ts';
import { openAsMember, readSession } from '../support/members.ts';
import { MEMBER } from '../support/catalogue.ts';
import { useBrowser, visit, waitForHydration } from '../support/pages.ts';

const { newPage } = useBrowser();

const PAGES = [
  '/',
  '/sounds',
  '/sounds?type=1&search=雨',
  '/artist/音の人',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?uid=a&token=b',
  '/reset-password',
  '/undo',
  '/report',
  '/contact',
  '/profile',
  '/profile/statement',
  '/profile/statistics',
  '/profile/reports',
  '/profile/sounds',
  '/profile/uses',
  '/member-terms',
  '/content/faq',
];

const TRACK = {
  id: 'x',
  src: '/media/none.mp3',
  title: 'T',
  artist: 'A',
  thumbnail: null,
  wave: 'M0 16h192',
  durationSec: 3,
};

/** Every persisted setting in a non-default state, and in states that the site never writes. */
const STORED: Record<string, Record<string, string>> = {
  nothing: {},
  everything: {
    'player:volume': '0.3',
    'player:loop': 'true',
    'player:keys': 'false',
    'player:queue': JSON.stringify([TRACK]),
    'player:track': 'x',
    'player:position': '2',
    auth: JSON.stringify({ isAuthenticated: false, user: null, search: '雨', subgenres: ['1'], type: '2' }),
  },
  nonsense: {
    'player:queue': '{"id"',
    'player:volume': 'NaN',
    'player:loop': 'x',
    auth: '{"isAuthenticated":"yes","user":[]}',
  },
};

/** `npm test` leaves out what other tests begin with, and one of each pair. */
const CASES = depth(
  [
    ['a stranger', 'nonsense'],
    ['a member', 'everything'],
  ],
  ['a stranger', 'a member'].flatMap((who) => Object.keys(STORED).map((name) => [who, name])),
);

it.each(CASES)(
  'every page hydrates for %s without an error when the browser has stored %s',
  async (who = '', name = '') => {
    const page = await newPage();
    if (who === 'a member') await openAsMember(page, MEMBER, '/robots.txt');
    else await page.goto('/robots.txt');
    const { auth } = await readSession(page);
    const stored = { ...STORED[name] };
    // A member's browser stores the filters next to the session.
    if (auth !== null) stored['auth'] = JSON.stringify({ ...parse(stored['auth']), ...auth });
    await page.evaluate((items) => Object.assign(localStorage, items), stored);
    for (const path of PAGES) {
      // A form for strangers only, or for members only, redirects while it loads.
      await visit(page, path).catch(() => waitForHydration(page));
      await page.locator('main').waitFor();
      await expect
        .poll(() => page.getByRole('region', { name: 'プレーヤー' }).count(), { message: path })
        .toBe(name === 'everything' ? 1 : 0);
    }
  },
  60_000,
);

function parse(text: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

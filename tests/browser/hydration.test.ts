import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, readSession } from './support/members.ts';
import { useBrowser, visit, waitForHydration } from './support/pages.ts';
import { type Site, startSite } from './support/sites.ts';

let site: Site;
const { newPage } = useBrowser(() => site.url);

beforeAll(async () => {
  site = await startSite({ RATE_LIMITS: 'off' });
});
afterAll(async () => {
  await site.stop();
  expect(site.log, 'the server’s log is silent').toEqual([]);
});

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
  '/contact',
  '/profile',
  '/profile/statement',
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
const REMEMBERED: Record<string, Record<string, string>> = {
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

it.each(['a stranger', 'a member'])(
  'every page hydrates for %s without an error, whatever the browser has stored',
  async (who) => {
    let session: Record<string, string> = {};
    if (who === 'a member') {
      const page = await newPage();
      await logIn(page);
      const { auth, token, refresh } = await readSession(page);
      session = { auth: JSON.stringify(auth), token: token ?? '', refresh: refresh ?? '' };
      await page.context().close();
    }
    for (const [name, remembered] of Object.entries(REMEMBERED)) {
      // A member's browser stores the filters next to the session.
      const auth = session['auth']
        ? { auth: JSON.stringify({ ...parse(remembered['auth']), ...JSON.parse(session['auth']) }) }
        : {};
      const page = await newPage();
      await page.addInitScript(
        (items) => {
          if (sessionStorage.getItem('set')) return;
          sessionStorage.setItem('set', 'yes');
          for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
        },
        { ...remembered, ...session, ...auth },
      );
      for (const path of PAGES) {
        // A form for strangers only, or for members only, redirects while it loads.
        await visit(page, path).catch(() => waitForHydration(page));
        await page.locator('main').waitFor();
        await expect
          .poll(() => page.getByRole('region', { name: 'プレーヤー' }).count(), {
            message: `${name}: ${path}`,
          })
          .toBe(name === 'everything' ? 1 : 0);
      }
      await page.context().close();
    }
  },
  120_000,
);

function parse(text: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

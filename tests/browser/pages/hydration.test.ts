import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { toWave } from '#src/lib/wave.ts';
import { depth } from '#support/depth.ts';
import { STAFF, useConsole } from '../support/console.ts';
import { MEMBER } from '../support/catalogue.ts';
import { openAsMember, readSession } from '../support/members.ts';
import { closeAlert, pressDownload } from '../support/notices.ts';
import { visit, waitForHydration } from '../support/pages.ts';

const { open, newPage } = useConsole({ RATE_LIMITS: 'off', AD_PROVIDERS: 'none' });

const TITLE = '最新の戦闘音';
const PAGES = [
  '/',
  '/sounds',
  `/sounds?type=1&search=${TITLE}`,
  '/filters',
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
/** Pages of cards, each with several islands. */
const LISTS = new Set(['/', '/sounds', '/artist/音の人']);
const OPERATOR_PAGES = ['/operator', '/operator/members'];

/** A sound that lists show, and the certificate of its download. */
let sound: { id: string; title: string; peaks?: string };
let certificateId: string;

beforeAll(async () => {
  const page = await open(`/sounds?search=${TITLE}`);
  const reply = await page.request.get(`/api/sounds/?search=${TITLE}`);
  const { results } = (await reply.json()) as { results: (typeof sound)[] };
  sound = results.find(({ title }) => title === TITLE)!;
  const arrival = page.waitForEvent('download');
  await pressDownload(page, TITLE);
  await closeAlert(page);
  await arrival;
  const link = page.getByRole('link', { name: '利用証明書' });
  certificateId = (await link.getAttribute('href'))!.split('/').at(-1)!;
  await page.context().close();
});

/** Every persisted setting in a non-default state, and in states that the site never writes. */
function listStored(name: string): Record<string, string> {
  if (name === 'nothing') return {};
  if (name === 'nonsense')
    return {
      'player:queue': '{"id"',
      'player:volume': 'NaN',
      'player:loop': 'x',
      'player:level': '0',
      'search:recent': '[1]',
      downloads: '[]',
      certificates: '{}',
      auth: '{"isAuthenticated":"yes","user":[]}',
    };
  const track = {
    id: sound.id,
    src: '/media/none.mp3',
    title: 'T',
    artist: 'A',
    thumbnail: null,
    wave: toWave(sound.peaks),
    durationSec: 3,
  };
  const grant = { at: Date.now(), isRewarded: true, isLogged: true, intent: null, provider: null };
  const certificate = { id: certificateId, issued_at: new Date().toISOString() };
  return {
    'player:volume': '0.3',
    'player:loop': 'true',
    'player:level': 'false',
    'player:keys': 'false',
    'player:queue': JSON.stringify([track]),
    'player:track': sound.id,
    'player:position': '2',
    'search:recent': JSON.stringify({ owner: '', texts: ['雨'] }),
    downloads: JSON.stringify({ [sound.id]: { ...grant, notice: null } }),
    certificates: JSON.stringify([{ ...certificate, sound_title: TITLE, artist: '音の人' }]),
    auth: JSON.stringify({ isAuthenticated: false, user: null, search: '雨', subgenres: ['1'], type: '2' }),
  };
}

/** `npm test` leaves out what other tests begin with, and one of each pair. */
const CASES = depth(
  [
    ['a stranger', 'nonsense'],
    ['a member', 'everything'],
    ['staff', 'everything'],
  ],
  ['a stranger', 'a member', 'staff'].flatMap((who) =>
    ['nothing', 'everything', 'nonsense'].map((name) => [who, name]),
  ),
);

/** The islands that hydrate when someone turns to them. */
const LATER = `astro-island[ssr][opts*='"intent"'],
  [data-islands] [data-island]:is([data-replay], :has([data-replay])):not([data-live])`;

/** Turns to every island of a page, and waits until it has hydrated. Returns how many there are. */
async function hydrateLater(page: Page): Promise<number> {
  const count = await page.evaluate((selector) => {
    const islands = document.querySelectorAll(selector);
    for (const island of islands) island.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    return islands.length;
  }, LATER);
  await expect.poll(() => page.locator(LATER).count(), { message: page.url() }).toBe(0);
  return count;
}

it.each(CASES)(
  'every page hydrates for %s without an error when the browser has stored %s',
  async (who = '', name = '') => {
    const page = await newPage();
    if (who === 'a stranger') await page.goto('/robots.txt');
    else await openAsMember(page, who === 'staff' ? STAFF : MEMBER, '/robots.txt');
    const { auth } = await readSession(page);
    const stored = listStored(name);
    // A member's browser stores the filters next to the session.
    if (auth !== null) stored['auth'] = JSON.stringify({ ...parse(stored['auth']), ...auth });
    await page.evaluate((items) => Object.assign(localStorage, items), stored);
    const ofSound = [
      `/sounds/${sound.id}`,
      `/certificates/${certificateId}`,
      `/certificates/${certificateId}/use`,
    ];
    for (const path of who === 'staff' ? OPERATOR_PAGES : [...PAGES, ...ofSound]) {
      // A form for strangers only, or for members only, redirects while it loads.
      await visit(page, path).catch(() => waitForHydration(page));
      await page.locator('main').waitFor();
      await expect
        .poll(() => page.getByRole('region', { name: 'プレーヤー' }).count(), { message: path })
        .toBe(name === 'everything' ? 1 : 0);
      const count = await hydrateLater(page);
      if (LISTS.has(path)) expect(count, path).toBeGreaterThan(20);
      // The stored player changes the parts of its sound.
      const wave = page.locator(`[data-sound="${sound.id}"] [data-island=wave][data-live]`);
      if (name === 'everything' && path === ofSound[0]) await expect.poll(() => wave.count()).toBe(1);
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

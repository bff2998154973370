import { beforeAll, describe, expect, it } from 'vitest';
import { addArtist, addMember, addSound, cardOf, openMySounds } from '../support/artists.ts';
import type { Account } from '../support/members.ts';
import { useBrowser, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { runOperator } from '../support/staff.ts';

const STAFF = 'takedown-staff@example.test';
const ARTIST = '引き潮工房';
const TITLE = '引き潮の歌';
const REASON = '権利者から申し立てがありました。';

const site = useSite();
let artist: Account;
let soundId: string;
const { open, newPage } = useBrowser(() => site.url);

beforeAll(async () => {
  artist = await addArtist(site, ARTIST);
  soundId = await addSound(site, artist, TITLE);
  await addMember(site, 'takedown-staff', { is_staff: true });
});

const operate = (...args: string[]) => runOperator(site, ...args, '--as', STAFF);
const artistPath = `/artist/${encodeURIComponent(ARTIST)}`;
const pages = () => [
  '/',
  '/sounds',
  artistPath,
  `/sounds/${soundId}`,
  '/sitemap-1.xml',
  '/feed',
  `/feed?search=${TITLE}`,
  `/feed${artistPath}`,
  `/embed/sounds/${soundId}`,
  `/oembed?url=${encodeURIComponent(`${site.url}/sounds/${soundId}`)}`,
];
const show = async (path: string) => {
  const text = await (await fetch(site.url + path)).text();
  return text.includes(soundId) || text.includes(ARTIST) || text.includes(artistPath);
};

/** Requests every page until none or all of them show the artist or the sound. Returns the elapsed time. */
async function waitUntilPages(areShowing: boolean): Promise<number> {
  const began = performance.now();
  for (;;) {
    const shown = await Promise.all(pages().map(show));
    if (shown.every((is) => is === areShowing)) return performance.now() - began;
    if (performance.now() - began > 20_000) throw new Error(`after 20 s: ${JSON.stringify(shown)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('a member who is suspended on the command line', () => {
  it('is removed from every page within five seconds, and restored when the suspension ends', async () => {
    await waitUntilPages(true);
    await operate('members', 'suspend', artist.email, '--reason', REASON);
    // The test machine may be busy. The caches of pages add up to 5 s.
    expect(await waitUntilPages(false)).toBeLessThan(8_000);
    const statuses = pages()
      .slice(2, 4)
      .map(async (path) => (await fetch(site.url + path)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404]);
    await operate('members', 'unsuspend', artist.email);
    await waitUntilPages(true);
  });

  it('sees the reason on the profile, and keeps the typed value of a refused change, at any width', async () => {
    await operate('members', 'suspend', artist.email, '--reason', REASON);
    // The browser logs the refused change as a failed request.
    const page = await newPage({ allow: /403/ });
    await openMySounds(page, artist);
    await page.getByRole('heading', { name: 'アカウントは停止されています' }).waitFor();
    await page.getByText(`理由：${REASON}`).waitFor();
    await cardOf(page, TITLE).waitFor();
    expect(await page.getByRole('link', { name: '公開ページを見る' }).count()).toBe(0);
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.getByRole('button', { name: '自己紹介を編集' }).click();
    const bio = page.getByRole('textbox', { name: '自己紹介' });
    await bio.fill('書きかけの紹介');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await page
      .locator('.field-editor')
      .getByText('アカウントが制限されているため、変更できません。')
      .waitFor();
    expect(await bio.inputValue()).toBe('書きかけの紹介');
    await operate('members', 'unsuspend', artist.email);
  });
});

describe('a sound that is hidden on the command line', () => {
  it('shows this with the reason on its card, and cannot be published', async () => {
    await operate('sounds', 'hide', soundId, '--reason', REASON);
    const page = await open('/login');
    await openMySounds(page, artist);
    const card = cardOf(page, TITLE);
    await card.getByText('運営が非公開').waitFor();
    await card.getByText(`非公開の理由：${REASON}`).waitFor();
    await card.getByRole('button', { name: `${TITLE}を編集` }).click();
    const dialog = page.getByRole('dialog', { name: 'サウンドの編集' });
    expect(await dialog.getByRole('combobox', { name: 'ステータス' }).isDisabled()).toBe(true);
    await dialog.getByText('運営により非公開になっているため、公開できません。').waitFor();
    await waitForAnswers(page);
    await operate('sounds', 'unhide', soundId);
  });
});

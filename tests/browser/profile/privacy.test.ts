import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTone } from '../support/artist-files.ts';
import { addArtist, cardOf, chooseSounds, openMySounds, queueOf } from '../support/artists.ts';
import { logOut, openAsMember } from '../support/members.ts';
import { answerRequests, useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const site = useSite();
let folder: string;
const { newPage } = useBrowser(() => site.url);
/** Browsers log every failed and every refused request to the console. */
const allow = /Failed to load resource|net::ERR/;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-privacy-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const playerOf = (page: Page) => page.getByRole('region', { name: 'プレーヤー' });
const readStorage = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }));

/** Each is a different sound: the host detects copies. */
let tones = 0;
const writeSecret = () => writeTone(folder, '秘密の曲.mp3', 330 + 20 * (tones += 1));

async function openWithPrivateSound(name: string): Promise<Page> {
  const page = await newPage({ allow });
  await openMySounds(page, await addArtist(site, name));
  await chooseSounds(page, await writeSecret());
  await cardOf(page, '秘密の曲').waitFor();
  return page;
}

async function play(page: Page): Promise<void> {
  await page.getByRole('button', { name: '秘密の曲を再生' }).click();
  await playerOf(page).getByText('秘密の曲').waitFor();
  expect(await readStorage(page)).toContain('秘密の曲');
}

describe('a private sound in the player', () => {
  it('is removed when its artist logs out, and does not return with the page', async () => {
    const page = await openWithPrivateSound('口の堅い人');
    await play(page);
    await logOut(page);
    await page.waitForURL('/');
    await expect.poll(() => playerOf(page).count()).toBe(0);
    expect(await readStorage(page)).not.toContain('秘密の曲');
    await page.reload();
    await waitForAnswers(page);
    expect(await playerOf(page).count()).toBe(0);
  });

  it('is removed in other tabs as well, and when the host ends the session', async () => {
    const page = await openWithPrivateSound('追い出される人');
    await play(page);
    const other = await page.context().newPage();
    await visit(other, '/member-terms');
    await playerOf(other).getByText('秘密の曲').waitFor();
    await page
      .context()
      .route('**/api/account/**', (route) => route.fulfill({ status: 401, json: { detail: 'no' } }));
    await other.goto('/profile');
    await other.waitForURL((url) => url.pathname === '/login');
    for (const tab of [page, other]) await expect.poll(() => playerOf(tab).count()).toBe(0);
    expect(await readStorage(page)).not.toContain('秘密の曲');
  });
});

describe('code that could not be loaded', () => {
  it('an upload whose code does not load waits as for a lost connection, and then continues', async () => {
    const page = await newPage({ allow });
    // The chunk of the resumable-upload library, identified by one of its messages.
    const connect = await answerRequests(page, '**/_astro/*.js', async (route) => {
      const reply = await route.fetch();
      if ((await reply.text()).includes('tus: failed to resume upload')) return route.abort();
      return route.fulfill({ response: reply });
    });
    await openMySounds(page, await addArtist(site, '取りこぼす人'));
    await chooseSounds(page, await writeSecret());
    await queueOf(page)
      .getByText(/つながると続きから送ります/)
      .waitFor();
    connect();
    await cardOf(page, '秘密の曲').waitFor();
  });

  it('an application that fails twice, with the profile unreachable, keeps its dialog and its choices', async () => {
    const page = await openAsMember(newPage({ allow }));
    await page.getByRole('button', { name: '申請する' }).click();
    const dialog = page.getByRole('dialog', { name: 'クオリティチェックの申請' });
    for (const number of [1, 2, 3]) {
      const song = await writeTone(folder, `応募 ${number}.mp3`, 200 + 40 * number);
      await dialog.getByLabel(`${number}曲目`).setInputFiles(song);
    }
    await dialog.getByRole('checkbox', { name: 'BGM' }).check();
    await dialog.getByRole('checkbox', { name: '会員規約' }).check();
    const fulfil = { status: 404, json: { detail: 'まだです。' } };
    let asked = 0;
    await page.route('**/api/account/profile/', (route) => {
      asked += 1;
      return route.fulfill(fulfil);
    });
    await page.route('**/api/account/upload-quality-check/', (route) => route.fulfill(fulfil));
    for (let tries = 1; tries <= 3; tries += 1) {
      await dialog.locator('button[type=submit]').click();
      await expect.poll(() => asked).toBe(tries);
      await dialog.getByText('選んだファイルは残っています').waitFor();
    }
    expect(await dialog.getByRole('checkbox', { name: 'BGM' }).isChecked()).toBe(true);
    expect(await dialog.getByRole('checkbox', { name: '会員規約' }).isChecked()).toBe(true);
  });
});

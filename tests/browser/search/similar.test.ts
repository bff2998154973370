import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/schema/open.ts';
import { expectAccessible } from '../support/axe.ts';
import { useBrowser } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { newPage } = useBrowser();
const site = useOwnSite();
let soundId: string;
let otherId: string;
let unsureTitle: string;
const titles: string[] = [];

beforeAll(async () => {
  const database = await openDatabase({ kind: 'sqlite', file: join(site.dataDir, 'site.sqlite') });
  const sounds = await everyTable(database.db)
    .selectFrom('sounds')
    .select(['seq', 'id', 'title', 'type_id'])
    .where('title', 'like', '静かな雨%')
    .orderBy('seq', 'desc')
    .limit(5)
    .execute();
  const [first, other, ...rest] = sounds;
  soundId = first?.id ?? '';
  otherId = other?.id ?? '';
  titles.push(...rest.slice(0, 2).map(({ title }) => title));
  unsureTitle = rest[2]?.title ?? '';
  await everyTable(database.db)
    .insertInto('sound_neighbours')
    .values({
      sound_seq: first?.seq ?? 0,
      type_id: first?.type_id ?? 0,
      neighbours: rest.map(({ seq }) => seq).join(' '),
      sure: 2,
    })
    .execute();
  await database.close();
});

describe('similar sounds', () => {
  it.each([true, false])('are on the page of a sound, with script: %s', async (javaScriptEnabled) => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto(`${site.url}/sounds/${soundId}`);
    const section = page.getByRole('list', { name: '似た音' });
    expect(await section.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(titles);
    const unsure = page.getByRole('list', { name: '近いかもしれない音' });
    expect(await unsure.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([unsureTitle]);
    await page.goto(`${site.url}/sounds/${otherId}`);
    expect(await page.getByRole('heading', { name: '似た音' }).count()).toBe(0);
  });

  it('play one after another', async () => {
    const page = await newPage();
    await page.goto(`${site.url}/sounds/${soundId}`);
    const cards = page.getByRole('list', { name: '似た音' }).getByRole('article');
    await cards
      .first()
      .getByRole('button', { name: `${titles[0]}を再生` })
      .click();
    const player = page.getByRole('region', { name: 'プレーヤー' });
    await player.getByText(titles[0] ?? '').waitFor();
    await player.getByRole('button', { name: '次のサウンド' }).click();
    await player.getByText(titles[1] ?? '').waitFor();
  });

  it('are reached from a card by keyboard and by pointer, where there are any', async () => {
    const page = await newPage();
    await page.goto(`${site.url}/sounds?search=${encodeURIComponent('静かな雨')}`);
    const links = page.getByRole('link', { name: 'に似た音を探す' });
    expect(await links.count()).toBe(1);
    const opacity = () => links.evaluate((link) => getComputedStyle(link).opacity);
    await expect.poll(opacity).toBe('0');
    await links.focus();
    await expect.poll(opacity).toBe('1');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/sounds/${soundId}#similar`);
    await expect
      .poll(() =>
        page
          .getByRole('heading', { name: '似た音' })
          .evaluate((heading) => heading.getBoundingClientRect().top),
      )
      .toBeLessThan(700);
  });

  it('leave J and K the play button of their card, where Space plays', async () => {
    const page = await newPage();
    await page.goto(`${site.url}/sounds?search=${encodeURIComponent('静かな雨')}`);
    const card = page.getByRole('article').filter({ has: page.locator('.card-similar') });
    const place = await card.evaluate((each) => [...document.querySelectorAll('[data-sound]')].indexOf(each));
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel);
    const title = await card.getByRole('heading').innerText();
    for (let press = 0; press <= place; press += 1) await page.keyboard.press('j');
    await expect.poll(focused).toBe(`${title}を再生`);
    await page.keyboard.press(' ');
    await page
      .getByRole('region', { name: 'プレーヤー' })
      .getByRole('button', { name: '一時停止' })
      .waitFor();
  });

  it('are accessible and fit at each width', async () => {
    const page = await newPage();
    for (const path of [`/sounds/${soundId}`, `/sounds?search=${encodeURIComponent('静かな雨')}`]) {
      await page.goto(site.url + path);
      await expectAccessible(page);
    }
  });
});

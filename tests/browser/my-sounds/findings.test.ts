import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeMp3, join, shape, silence, tone } from '#support/files/signals.ts';
import { addArtist, cardOf } from '../support/artists.ts';
import { expectAccessible } from '../support/axe.ts';
import { type Account, openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';

/** Elsewhere, the long files of other tests would be measured first. */
const { site, newPage } = useBrowser(useOwnSite());
let artist: Account;
beforeAll(async () => {
  artist = await addArtist(site, '測る人');
});

/** Silent at the start, above full scale in two places, and cut off at the end. */
const faulty = shape(join(silence(0.8), tone(7, 0)), (second) =>
  (second > 2 && second < 2.1) || (second > 5 && second < 5.1) ? 1.3 : 0.5,
);
const clean = shape(tone(3, -12), (second, seconds) => Math.min(1, (seconds - second) / 2));

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'サウンドの編集' });

async function openSounds(): Promise<Page> {
  const page = await openAsMember(newPage(), artist);
  await page.getByRole('tab', { name: '効果音' }).click();
  return page;
}

describe('the measurements of a sound', () => {
  it('appear while its artist waits, can be played, and are shown on the card', async () => {
    const page = await openSounds();
    const buffer = await encodeMp3([faulty, faulty]);
    await page
      .getByLabel('音声ファイル')
      .setInputFiles({ name: '割れた音.mp3', mimeType: 'audio/mpeg', buffer });
    const card = cardOf(page, '割れた音');
    await card.getByRole('button', { name: /を編集$/ }).click();
    const dialog = dialogOf(page);
    const section = dialog.getByRole('region', { name: '音のチェック' });
    await section.getByText(/^先頭の無音、音割れ、急な終わり、ラウドネス/).click();
    await section.getByText('先頭に0.8秒の無音があります').waitFor();
    await section.getByText('2か所で音割れしています').waitFor();
    await section.getByText('終わりが急に切れています').waitFor();
    await section.getByText(/^ラウドネス −[\d.]+ LUFS（大きめ）$/).waitFor();
    await section.getByText('このままでも公開できます').waitFor();
    const marks = section.getByRole('img', {
      name: /^波形の印：先頭の無音、音割れ 0:02\.0 0:05\.0、急な終わり/,
    });
    await marks.waitFor();
    await section.getByRole('button', { name: '0:05.0の少し前から再生' }).click();
    const readPosition = () => page.evaluate(() => Number(localStorage.getItem('player:position')));
    await expect.poll(readPosition).toBeGreaterThan(0);
    expect(await readPosition()).toBeGreaterThanOrEqual(4.4);
    await section.getByRole('slider', { name: '割れた音の再生位置' }).waitFor();
    await expectAccessible(page, 'dialog[open]');
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.keyboard.press('Escape');
    await card.getByText('気になる点：先頭の無音、音割れ、急な終わり').waitFor();
  });

  it('are one line when nothing was found', async () => {
    const page = await openSounds();
    const buffer = await encodeMp3([clean]);
    await page
      .getByLabel('音声ファイル')
      .setInputFiles({ name: '澄んだ音.mp3', mimeType: 'audio/mpeg', buffer });
    const card = cardOf(page, '澄んだ音');
    await card.getByRole('button', { name: /を編集$/ }).click();
    await dialogOf(page).getByText('気になる点は見つかりませんでした。').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    expect(await card.getByText('気になる点').count()).toBe(0);
  });

  it('are drawn on the card, even when the level is constant', async () => {
    const page = await openSounds();
    const buffer = await encodeMp3([tone(3, -12)]);
    await page
      .getByLabel('音声ファイル')
      .setInputFiles({ name: '一定の音.mp3', mimeType: 'audio/mpeg', buffer });
    const bars = cardOf(page, '一定の音').locator('.card-body svg path').first();
    await expect.poll(async () => (await bars.getAttribute('d'))?.match(/v\d+/g) ?? []).toHaveLength(64);
    const heights = (await bars.getAttribute('d'))?.match(/(?<=v)\d+/g) ?? [];
    expect(Math.min(...heights.map(Number))).toBeGreaterThan(20);
  });
});

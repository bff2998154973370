import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeMp3, join, shape, silence, tone } from '#support/files/signals.ts';
import { addArtist, cardOf } from '../support/artists.ts';
import { expectAccessible, findFaults } from '../support/axe.ts';
import { type Account, openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const site = useSite();
const { newPage } = useBrowser(() => site.url);
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
  const page = await newPage();
  await openAsMember(page, artist);
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
    const pause = section.getByRole('button', { name: '割れた音を一時停止' });
    await pause.click();
    const at = await page.evaluate(
      () => JSON.parse(localStorage.getItem('player:position') ?? '0') as number,
    );
    expect(at).toBeGreaterThanOrEqual(4.4);
    expect(at).toBeLessThan(7);
    await section.getByRole('slider', { name: '割れた音の再生位置' }).waitFor();
    expect(await findFaults(page, 'dialog[open]')).toEqual([]);
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

  it('have no axe fault and do not overflow the screen, at each width, in light and dark', async () => {
    const page = await openSounds();
    await cardOf(page, '割れた音')
      .getByRole('button', { name: /を編集$/ })
      .click();
    await dialogOf(page)
      .getByText(/^先頭の無音、音割れ/)
      .click();
    await dialogOf(page).getByText('終わりが急に切れています').waitFor();
    await expectAccessible(page, 'dialog[open]');
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const isWide = await dialogOf(page).evaluate((element) => element.scrollWidth > element.clientWidth);
      expect(isWide, `${width} px`).toBe(false);
    }
  });
});

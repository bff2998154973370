import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { ARTIST_EMAIL, MEMBER } from '../support/catalogue.ts';
import { openAsMember } from '../support/members.ts';
import { answerRequests, useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();

const total = async (page: Page) =>
  Number(/([\d,]+)件/.exec(await page.locator('#result-count').innerText())?.[1]);
const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Without script, a link in the group leads to a page that has the choices. */
async function unfold(page: Page, name: string, hasScript = true): Promise<void> {
  await group(page, name).getByRole('heading').click();
  const choices = group(page, name).getByRole('listitem');
  const link = group(page, name).getByRole('link', { name: '選択肢を表示' });
  if (hasScript || (await choices.count()) > 0) return choices.first().waitFor();
  await link.click();
  await page.waitForURL('**/filters**');
  await choices.first().waitFor();
}
const queryOf = (page: Page) => decodeURIComponent(new URL(page.url()).search);

describe('filters by facts', () => {
  it.each([true, false])('combine, exclude and are removed, with script: %s', async (javaScriptEnabled) => {
    const page = await open('/sounds', { javaScriptEnabled });
    expect(await group(page, 'ループ').getByRole('link').isVisible()).toBe(false);
    await unfold(page, 'ループ', javaScriptEnabled);
    await group(page, 'ループ').getByRole('link', { name: 'ループ可 21', exact: true }).click();
    await page.waitForURL(/loopable=yes/);
    await expect.poll(() => total(page)).toBe(21);
    const moods = group(page, '雰囲気');
    await unfold(page, '雰囲気', javaScriptEnabled);
    await moods.getByText('除く', { exact: true }).click();
    await moods.getByRole('link', { name: '切ないを除く' }).click();
    await page.waitForURL(/-mood=sad/);
    await expect.poll(() => total(page)).toBe(10);
    expect(queryOf(page)).toBe('?loopable=yes&-mood=sad');
    expect(await moods.getByRole('link', { name: '切ないを除く' }).getAttribute('aria-current')).toBe('true');
    // The page with the choices lies between.
    const times = javaScriptEnabled ? 1 : 2;
    for (let time = 0; time < times; time += 1) await page.goBack();
    await expect.poll(() => total(page)).toBe(21);
    for (let time = 0; time < times; time += 1) await page.goForward();
    await expect.poll(() => total(page)).toBe(10);
    await page.getByRole('link', { name: '切ない以外を外す' }).click();
    await expect.poll(() => queryOf(page)).toBe('?loopable=yes');
    await expect.poll(() => total(page)).toBe(21);
  });

  it.each([true, false])(
    'offer the keys of sounds, several at once, with script: %s',
    async (javaScriptEnabled) => {
      const page = await open('/sounds', { javaScriptEnabled });
      const keys = group(page, 'キー');
      await unfold(page, 'キー', javaScriptEnabled);
      expect(await keys.getByRole('link', { name: '短調 4', exact: true }).count()).toBe(1);
      expect(await keys.getByRole('link', { name: '嬰ヘ短調 F♯m' }).isVisible()).toBe(false);
      await keys.getByText('キーを選ぶ').focus();
      await page.keyboard.press('Enter');
      await keys
        .getByRole('list', { name: '短調' })
        .getByRole('link', { name: '嬰ヘ短調 F♯m 4', exact: true })
        .click();
      await page.waitForURL(/key=fs-minor/);
      await expect.poll(() => total(page)).toBe(4);
      await keys
        .getByRole('list', { name: '長調' })
        .getByRole('link', { name: 'ハ長調 C 3', exact: true })
        .click();
      await page.waitForURL(/key=c-major/);
      await expect.poll(() => total(page)).toBe(7);
      expect(queryOf(page)).toBe('?key=c-major&key=fs-minor');
      await page.getByRole('link', { name: 'ハ長調 Cを外す' }).click();
      await expect.poll(() => total(page)).toBe(4);
      const chip = keys.getByRole('link', { name: '嬰ヘ短調 F♯m', exact: true });
      await chip.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => queryOf(page)).toBe('');
      if (!javaScriptEnabled) return;
      // The next key can be chosen at once.
      const again = keys.getByRole('link', { name: '嬰ヘ短調 F♯m 4', exact: true });
      await expect.poll(() => again.isVisible()).toBe(true);
      expect(await again.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );

  it('stay when another word is searched, and unknown values are left out', async () => {
    const page = await open('/sounds?loopable=yes&mood=loud&length=0-10', { javaScriptEnabled: false });
    expect(await total(page)).toBe(7);
    await page.getByRole('searchbox').fill('決定音');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    expect(queryOf(page)).toContain('length=0-10');
    expect(queryOf(page)).not.toContain('loud');
    expect(await total(page)).toBe(7);
  });

  it('are usable by keyboard and on a narrow screen, and axe finds no fault', async () => {
    const page = await open('/sounds?mood=sad&-content_id=registered', { width: 320 });
    await page.getByText('絞り込み').first().click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const lengths = group(page, '長さ');
    await lengths.locator('summary').focus();
    await page.keyboard.press('Enter');
    const chip = lengths.getByRole('link', { name: '10秒未満' });
    await chip.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/length=0-10/);
    await expect.poll(() => chip.getAttribute('aria-current')).toBe('true');
    expect(await chip.evaluate((element) => element === document.activeElement)).toBe(true);
    await unfold(page, 'キー');
    await page.getByText('キーを選ぶ').click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await expectAccessible(page);
  });

  it('say what Content ID is', async () => {
    const page = await open('/sounds', { javaScriptEnabled: false });
    await unfold(page, 'Content ID', false);
    await group(page, 'Content ID').getByText('YouTubeが動画の音を自動で照合する仕組みです。').waitFor();
  });

  it('are named on the page of a sound', async () => {
    const page = await open('/sounds?mood=bright&content_id=none');
    await page.locator('[data-sound] [data-title]').first().click();
    await page.waitForURL(/\/sounds\/\w+$/);
    const facts = page.getByRole('main').locator('dl');
    const text = await facts.innerText();
    for (const fact of [
      'ループ可',
      '明るい・切ない',
      '追加で認めた使いみち\n店舗・催し、放送・CM',
      '登録していない',
    ])
      expect(text).toContain(fact);
  });
});

describe('an artist', () => {
  it('answers what people decide by; a refusal keeps what was chosen', async () => {
    const page = await openAsMember(newPage({ allow: /400/ }), { ...MEMBER, email: ARTIST_EMAIL });
    await page.getByRole('tab', { name: '効果音' }).click();
    await page.getByRole('button', { name: '最新の戦闘音を編集' }).click();
    const editor = page.getByRole('dialog', { name: 'サウンドの編集' });
    await editor.getByLabel('ボーカル', { exact: true }).selectOption('なし');
    const contentId = editor.getByRole('combobox', { name: 'Content ID', description: /YouTube/ });
    expect(await contentId.count()).toBe(1);
    for (const mood of ['怖い', '緊張感', '壮大', 'かわいい']) {
      await editor
        .getByRole('group', { name: /雰囲気/ })
        .getByRole('button', { name: mood })
        .click();
    }
    await editor.getByRole('alert').getByText('雰囲気は3つまで選べます。').waitFor();
    await expectAccessible(page);
    await editor.getByRole('button', { name: 'かわいい' }).click();
    await editor.getByRole('button', { name: '楽曲の素材' }).click();
    const url = /\/api\/sounds\/\w+\/$/;
    const accept = await answerRequests(page, url, (route) =>
      route.fulfill({ status: 400, json: { licence_uses: '選べない用途です。' } }),
    );
    await editor.getByRole('button', { name: '保存', exact: true }).last().click();
    await editor.getByText('選べない用途です。', { exact: true }).waitFor();
    expect(await editor.getByRole('button', { name: '怖い' }).getAttribute('aria-pressed')).toBe('true');
    expect(await editor.getByLabel('ボーカル', { exact: true }).inputValue()).toBe('false');
    accept();
    await editor.getByRole('button', { name: '楽曲の素材' }).click();
    await editor.getByRole('button', { name: '楽曲の素材' }).click();
    await editor.getByRole('button', { name: '保存', exact: true }).last().click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    const reply = await page.request.get('/api/sounds/?vocals=no&mood=scary&mood=tense&mood=grand&use=songs');
    expect((await reply.json()).results.map(({ title }: { title: string }) => title)).toEqual([
      '最新の戦闘音',
    ]);
  });
});

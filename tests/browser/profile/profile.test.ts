import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addArtist, addMember, addSound } from '../support/artists.ts';
import { MEMBER, PAYEE_EMAIL } from '../support/catalogue.ts';
import { logIn, openAsMember, readMailedLink } from '../support/members.ts';
import { useBrowser, visit, waitForHydration } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';

const { site, open, newPage } = useBrowser(useOwnSite());
const PAYEE = { email: PAYEE_EMAIL, password: MEMBER.password };
/** Browsers log every refused request to the console. */
const allow = /400|409|Failed to load resource/;

async function openProfile(account = MEMBER, options = {}): Promise<Page> {
  const page = await openAsMember(newPage(options), account);
  await expect.poll(() => page.getByRole('button', { name: 'ユーザー名を編集' }).isEnabled()).toBe(true);
  return page;
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element, body } = document;
    return element === body ? '' : (element?.getAttribute('aria-label') ?? element?.textContent ?? '');
  });

/** Presses Tab until the element with this name has focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < 80; press += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

const row = (page: Page, label: string) =>
  page.locator('.field-row', { has: page.getByText(label, { exact: true }) });
const openDetails = async (page: Page) => {
  await tabTo(page, /^個人情報・振込先/);
  await page.keyboard.press('Enter');
};

describe('the own profile by keyboard alone', () => {
  it('edits every line, shows the change at once, and returns focus to its previous place', async () => {
    const page = await openProfile();
    await openDetails(page);
    for (const [label, text, shown] of [
      ['氏名', '見本 花子', '見本 花子'],
      ['ふりがな', 'みほん はなこ', 'みほん はなこ'],
      ['電話番号', '090-1234-5678', '*********5678'],
      ['金融機関名', '見本銀行', '見本銀行'],
      ['支店名', '本店', '本店'],
      ['預金種別', '普通', '**'],
      ['口座番号', '１２３４５６７', '****567'],
    ] as const) {
      await tabTo(page, new RegExp(`^${label}を編集$`));
      await page.keyboard.press('Enter');
      if (label === '預金種別') await page.keyboard.press('ArrowDown');
      else await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(`${label}を編集`);
      await expect.poll(() => row(page, label).innerText()).toContain(shown);
    }
    expect(await page.locator('main').innerText()).not.toMatch(/普通|1234567|090-1234/);
    await page.reload();
    await expect.poll(() => page.getByRole('button', { name: 'ユーザー名を編集' }).isEnabled()).toBe(true);
    await openDetails(page);
    expect(await row(page, '口座番号').innerText()).toContain('****567');
    // The full value is visible while its owner edits it, and masked again after Escape.
    await tabTo(page, /^口座番号を編集$/);
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('口座番号', { exact: true }).inputValue()).toBe('1234567');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('口座番号を編集');
  });
});

describe('a line of the profile', () => {
  it('cannot be saved while it is unchanged or invalid, and shows the error', async () => {
    const page = await openProfile();
    await page.getByRole('button', { name: 'メッセージの宛先を編集' }).click();
    const save = page.getByRole('button', { name: '保存', exact: true });
    expect(await save.isDisabled()).toBe(true);
    const field = page.getByLabel('メッセージの宛先', { exact: true });
    await field.fill('no address');
    expect(await save.isDisabled()).toBe(true);
    await field.press('Enter');
    await page.getByText('メールアドレスの形式が正しくありません。').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toContain('profile-message_email-error');
    // The account's own address needs no confirmation.
    await field.fill(MEMBER.email);
    await save.click();
    await page.getByText('Profile updated successfully').waitFor();
    await page.getByText('保存しました').waitFor();
    await expect.poll(() => page.getByText('保存しました').count()).toBe(0);
  });

  it('keeps a rejected value, has focus, and names its key (spec §8)', async () => {
    const page = await openProfile(MEMBER, { allow });
    await page.getByRole('button', { name: 'ユーザー名を編集' }).click();
    const field = page.getByLabel('ユーザー名', { exact: true });
    await field.fill('BARE_artist');
    await field.press('Enter');
    await page.getByText(/^username: /).waitFor();
    expect(await field.inputValue()).toBe('BARE_artist');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  });

  it('alerts when a donation link cannot be saved (spec §8), and keeps it', async () => {
    const page = await openProfile(MEMBER, { allow: /500|Failed to load resource/ });
    await page.route('**/update-profile/', (route) => route.fulfill({ status: 500, body: 'oops' }));
    await page.getByRole('button', { name: '支援のリンクを編集' }).click();
    const field = page.getByLabel('支援のリンク', { exact: true });
    await field.fill('ofuse.me/kikuhito');
    await field.press('Enter');
    const alert = page.getByRole('alertdialog');
    await alert.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => alert.count()).toBe(0);
    expect(await field.inputValue()).toBe('ofuse.me/kikuhito');
  });

  it('with unsaved text asks before the page is left', async () => {
    const page = await openProfile();
    await page.getByRole('button', { name: '自己紹介を編集' }).click();
    await page.getByLabel('自己紹介', { exact: true }).fill('書きかけの自己紹介');
    const asked: string[] = [];
    let isLeaving = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (isLeaving ? dialog.accept() : dialog.dismiss());
    });
    await page.getByRole('navigation', { name: 'メニュー' }).getByRole('link', { name: 'サウンド' }).click();
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(new URL(page.url()).pathname).toBe('/profile');
    expect(await page.getByLabel('自己紹介', { exact: true }).inputValue()).toBe('書きかけの自己紹介');
    isLeaving = true;
    await page.getByRole('navigation', { name: 'メニュー' }).getByRole('link', { name: 'サウンド' }).click();
    await page.waitForURL('**/sounds');
    expect(asked).toHaveLength(2);
  });

  it('of the bank is locked once the identity is verified (spec §4)', async () => {
    const page = await openProfile(PAYEE);
    await openDetails(page);
    for (const label of ['金融機関名', '支店名', '預金種別', '口座番号']) {
      await row(page, label).waitFor();
      expect(await row(page, label).getByRole('button').count()).toBe(0);
      expect(await row(page, label).innerText()).toContain('変更できません');
    }
    expect(await row(page, '電話番号').innerText()).toContain('4321');
    expect(await page.locator('main').innerText()).not.toMatch(/7654321|普通|8765-4321/);
    await page.getByText('承認されました').waitFor();
  });
});

describe('a new e-mail address', () => {
  it('takes effect once the link mailed to it is opened', async () => {
    const account = await addMember(site, '移る人');
    const page = await openProfile(account);
    await openDetails(page);
    await tabTo(page, /^メールアドレスを編集$/);
    await page.keyboard.press('Enter');
    await page.getByLabel('メールアドレス', { exact: true }).fill('moved@example.test');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: /^お知らせ/ })
      .getByText('確認のメールを送りました。')
      .waitFor();
    await page.getByText('の確認を待っています').waitFor();
    expect(await page.getByText(/Profile updated successfully|保存しました/).count()).toBe(0);
    expect(await row(page, 'メールアドレス').innerText()).toContain(account.email);
    const link = await readMailedLink(site.dataDir, 'moved@example.test', '/profile?email_token=');
    await page.goto(link);
    await page.getByText('新しいメールアドレスを確認しました。').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await openDetails(page);
    await expect.poll(() => row(page, 'メールアドレス').innerText()).toContain('moved@example.test');

    const later = await newPage();
    await logIn(later, { ...account, email: 'moved@example.test' });
    expect(new URL(later.url()).pathname).toBe('/profile');
  });
});

describe('the payout', () => {
  it('is requested by keyboard, and then shows its status', async () => {
    const page = await openProfile(PAYEE);
    await page.getByText('¥13,245').first().waitFor();
    await tabTo(page, /送金/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/¥3,000以上[\s\S]*手数料/);
    expect(await dialog.innerText()).toContain('¥13,245');
    await tabTo(page, /^依頼する$/);
    await page.keyboard.press('Enter');
    await page.getByText('送金依頼を受け付けました。').waitFor();
    await expect.poll(() => dialog.count(), { timeout: 5_000 }).toBe(0);
    await expect.poll(() => page.locator('main').innerText()).toContain('送金依頼を受け付けています');
  });

  it('shows the chosen month, and - without one', async () => {
    const page = await openProfile(PAYEE);
    const months = page.getByRole('combobox');
    const names = await months.locator('option').allInnerTexts();
    expect(names[1]).toMatch(/^20\d\d年\d{1,2}月$/);
    const block = page.locator('section', { has: months });
    expect(await block.innerText()).toContain('-');
    await months.selectOption(names[2] ?? '');
    await expect.poll(() => block.innerText()).toContain('¥12,345');
    expect(await block.innerText()).toContain('411');
  });
});

describe('pictures', () => {
  const PNG = { name: '顔.png', mimeType: 'image/png', buffer: Buffer.alloc(0) };

  it('are previewed, sent, and shown everywhere at once; others are rejected with a reason', async () => {
    const sharp = (await import('sharp')).default;
    const buffer = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#2255aa' } })
      .png()
      .toBuffer();
    const page = await openProfile(MEMBER, { allow });
    await page.getByRole('button', { name: 'プロフィール画像を変更' }).click();
    const dialog = page.getByRole('dialog', { name: 'プロフィール画像の変更' });
    const input = dialog.locator('input[type=file]');
    await input.setInputFiles({ ...PNG, name: 'movie.gif', buffer });
    await dialog.getByText('.jpg、.jpeg、.png のいずれか').waitFor();
    await input.setInputFiles({ ...PNG, buffer: Buffer.from('<html>no picture</html>') });
    await dialog.getByRole('button', { name: '保存する' }).click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/./);
    await input.setInputFiles({ ...PNG, buffer });
    await dialog.getByRole('button', { name: '保存する' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect
      .poll(() => page.locator('img.artist-picture').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
    const picture = await page.locator('img.artist-picture').getAttribute('src');
    await expect
      .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--member')))
      .toContain(picture);
  });

  it('of an ID need the other fields first, then wait for review (spec §4, §5)', async () => {
    const sharp = (await import('sharp')).default;
    const buffer = await sharp({ create: { width: 800, height: 500, channels: 3, background: '#eeeeee' } })
      .jpeg()
      .toBuffer();
    const page = await openProfile(await addArtist(site, '書類の人'));
    await openDetails(page);
    const button = page.getByRole('button', { name: '本人確認書類を提出' });
    await button.click();
    const alert = page.getByRole('alertdialog');
    await alert.getByText('最後に').waitFor();
    expect(await alert.innerText()).toMatch(/未入力の項目：金融機関名、.*氏名、ふりがな、電話番号\n/);
    expect(await page.locator('#personal-info').innerText()).toContain('先に入力が必要な項目：金融機関名、');
    await page.keyboard.press('Enter');

    const filled = await openProfile();
    await openDetails(filled);
    await filled.getByRole('button', { name: '本人確認書類を提出' }).click();
    const dialog = filled.getByRole('dialog', { name: '本人確認書類の提出' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'id.jpg', mimeType: 'image/jpeg', buffer });
    await dialog.getByRole('button', { name: '提出する' }).click();
    await filled.getByText('Verification Request Submitted').waitFor();
    await filled.getByText('運営事務局が確認しています').waitFor();
    expect(await filled.getByRole('button', { name: '本人確認書類を提出' }).count()).toBe(0);
  });
});

describe('a message to an artist', () => {
  it('counts characters while typing, survives closing and a reload, and is sent once', async () => {
    const page = await open('/artist/音の人');
    const button = page.getByRole('button', { name: 'メッセージを送る' });
    await button.click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('textbox');
    const send = dialog.getByRole('button', { name: '送信する' });
    await expect.poll(() => send.isDisabled()).toBe(true);
    await field.fill('   ');
    expect(await send.isDisabled()).toBe(true);
    await field.fill('あ'.repeat(10_001));
    expect(await dialog.innerText()).toContain('10,001/10,000');
    expect(await send.isDisabled()).toBe(true);
    await field.fill('素敵な曲でした。𠮷');
    expect(await dialog.innerText()).toContain('9/10,000');
    await page.keyboard.press('Escape');
    await page.reload();
    await waitForHydration(page);
    await button.click();
    await expect.poll(() => field.inputValue()).toBe('素敵な曲でした。𠮷');
    await send.click();
    await dialog.getByText('メッセージを送信しました。').waitFor();
  });

  it('is not offered for artists without an address for messages', async () => {
    const page = await open('/artist/bare_artist');
    expect(await page.getByRole('button', { name: 'メッセージを送る' }).count()).toBe(0);
  });
});

it('W1: text that a member writes is escaped wherever it is shown', async () => {
  const payload =
    '</script><script>window.__xss=1</script><img src=x onerror="window.__xss=1"><svg onload=window.__xss=1>{{7*7}}';
  const page = await openProfile(await addArtist(site, '紹介の人'));
  await page.getByRole('button', { name: '自己紹介を編集' }).click();
  await page.getByLabel('自己紹介', { exact: true }).fill(payload);
  await page.keyboard.press('Control+Enter');
  await page.getByText('保存しました').waitFor();
  for (const path of ['/profile', '/artist/紹介の人']) {
    await visit(page, path);
    expect(await page.evaluate(() => '__xss' in window)).toBe(false);
    await page.getByText(payload, { exact: true }).first().waitFor();
  }
});

it('an artist who changes their name is found under both names, at one address', async () => {
  const artist = await addArtist(site, '鳴りの人');
  await addSound(site, artist, '響く曲');
  const page = await openProfile(artist);
  await page.getByRole('button', { name: 'ユーザー名を編集' }).click();
  await page.getByLabel('ユーザー名', { exact: true }).fill('響きの人');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('h1').innerText()).toBe('響きの人');
  await page.goto('/artist/鳴りの人');
  expect(decodeURIComponent(new URL(page.url()).pathname)).toBe('/artist/響きの人');
  await page.goto('/sounds');
  await expect.poll(() => page.getByText('響きの人').count()).toBeGreaterThan(0);
});

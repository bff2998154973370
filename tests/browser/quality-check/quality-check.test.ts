import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeMp3 } from '#demo/encode.ts';
import { SAMPLE_RATE } from '#demo/synth/audio.ts';
import { addMember } from '../support/artists.ts';
import type { ForeignHost } from '../support/foreign-host.ts';
import { startForeignSite } from '../support/foreign-sites.ts';
import { type Account, openAsMember } from '../support/members.ts';
import { answerRequests, useBrowser } from '../support/pages.ts';
import { type Site, useSite } from '../support/sites.ts';
import { findWaiting, runOperator } from '../support/staff.ts';

const allow = /400|404|409|Failed to load resource/;

/** Each is a different sound, at 8 KB a second. */
function makeFile(name: string, hertz: number, sec = 3) {
  const samples = Float32Array.from(
    { length: SAMPLE_RATE * sec },
    (_, at) => 0.3 * Math.sin((at / SAMPLE_RATE) * 2 * Math.PI * hertz),
  );
  const buffer = Buffer.from(encodeMp3(samples, { title: name, artist: '', album: '' }));
  return { name, mimeType: 'audio/mpeg', buffer };
}
const FILES = [330, 440, 550].map((hertz) => makeFile(`音 ${hertz}.mp3`, hertz));

const inputOf = (page: Page, number: number) => page.locator(`#quality-check-file_${number}`);
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'クオリティチェックの申請' });
const sectionOf = (page: Page) => page.locator('section', { hasText: 'クオリティチェック' }).last();
const submitOf = (page: Page) => dialogOf(page).locator('button[type=submit]');

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: '申請する' }).click();
  await dialogOf(page).waitFor();
  await dialogOf(page).getByLabel('BGM').waitFor();
}

async function fillIn(page: Page, files = FILES): Promise<void> {
  for (const [index, file] of files.entries()) await inputOf(page, index + 1).setInputFiles(file);
  await dialogOf(page).getByLabel('BGM').check();
  await dialogOf(page).getByRole('checkbox', { name: '会員規約' }).check();
}

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '');

describe('on our own host', () => {
  const { site, newPage } = useBrowser(useSite());

  async function openProfile(account: Account, options = {}): Promise<Page> {
    const page = await openAsMember(newPage({ allow, ...options }), account);
    await page.getByRole('heading', { name: 'クオリティチェック' }).waitFor();
    return page;
  }

  /** Presses Tab until the element with this id or name has focus. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    for (let press = 0; press < 90; press += 1) {
      const [id, label] = await page.evaluate(() => {
        const element = document.activeElement;
        return [element?.id ?? '', element === document.body ? '' : (element?.textContent ?? '')];
      });
      if (name.test(id) || name.test(label)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  it('a member applies by keyboard, waits, is rejected with a reason, and may apply again', async () => {
    const member = await addMember(site, '応募する人');
    const page = await openProfile(member);
    await expect
      .poll(() => sectionOf(page).innerText())
      .toMatch(/合格する必要があります[\s\S]*3つ以上[\s\S]*効果音を3つ以上/);
    // Registered first: the listener takes a moment to reach the browser, and a press would not wait.
    let [next] = FILES;
    page.on('filechooser', (chooser) => void chooser.setFiles(next ?? []));
    await tabTo(page, /^申請する$/);
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await tabTo(page, /^処理中|^申請する$/);
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('ファイルを3つ以上アップロードしてください').waitFor();
    await expect.poll(() => focusedId(page)).toBe('quality-check-file_1');
    expect(await inputOf(page, 1).getAttribute('aria-describedby')).toContain('quality-check-files-error');

    for (const [index, file] of FILES.entries()) {
      await tabTo(page, new RegExp(`^quality-check-file_${index + 1}$`));
      next = file;
      await page.keyboard.press('Enter');
      await dialogOf(page).getByText(file.name).waitFor();
    }
    expect(await dialogOf(page).getByText('ファイルを3つ以上').count()).toBe(0);
    await tabTo(page, /^quality-check-types-/);
    await page.keyboard.press('Space');
    await tabTo(page, /^quality-check-agreement$/);
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('クオリティチェックが申請されました').waitFor();
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('クオリティチェック');

    const apply = page.getByRole('button', { name: '申請する' });
    await page.getByText('申請を受け付けました').waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await page.reload();
    await page.getByText('申請を受け付けました').waitFor();
    expect(await sectionOf(page).innerText()).toMatch(/20\d\d年\d+月\d+日に申請/);
    expect(await apply.isDisabled()).toBe(true);

    const { email: staff } = await addMember(site, '審査の係', { is_staff: true });
    const id = await findWaiting(site, 'quality-checks', '応募する人');
    const reason = '2曲目に雑音が入っています。';
    await runOperator(site, 'quality-checks', 'reject', id, '--reason', reason, '--as', staff);
    await page.reload();
    await page.getByText(reason).waitFor();
    await openDialog(page);
    expect(await submitOf(page).innerText()).toBe('申請する');
    expect(await dialogOf(page).getByLabel('BGM').isChecked()).toBe(false);
  });

  it('U2: a file without MP3 content is rejected at its slot and by a toast; the rest stays chosen', async () => {
    const page = await openProfile(await addMember(site, '間違える人'));
    await openDialog(page);
    const [first, second, third] = FILES as [(typeof FILES)[0], (typeof FILES)[0], (typeof FILES)[0]];
    await fillIn(page, [
      first,
      { ...second, buffer: Buffer.from('<script>no sound</script>'.repeat(99)) },
      third,
    ]);
    await submitOf(page).click();
    await page
      .getByText(/^file_2: /)
      .first()
      .waitFor();
    await expect.poll(() => focusedId(page)).toBe('quality-check-file_2');
    expect(await inputOf(page, 2).getAttribute('aria-invalid')).toBe('true');
    expect(await inputOf(page, 2).getAttribute('aria-describedby')).toContain('quality-check-file_2-error');
    expect(await inputOf(page, 1).getAttribute('aria-invalid')).toBe('false');
    expect(await dialogOf(page).getByText(third.name).count()).toBe(1);

    await inputOf(page, 2).setInputFiles(second);
    expect(await inputOf(page, 2).getAttribute('aria-invalid')).toBe('false');
    // The host accepts it, but the answer is lost. The next attempt reports the application as received.
    await page.route('**/upload-quality-check/', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await submitOf(page).click();
    await page.getByText('申請を受け付けました').waitFor();
    await expect.poll(() => dialogOf(page).count()).toBe(0);
  });
});

describe('on another host', () => {
  let host: ForeignHost;
  let site: Site;
  const { newPage } = useBrowser(() => site.url);
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ host, site, stop } = await startForeignSite());
  });
  afterAll(() => stop());

  async function openProfile(name: string): Promise<Page> {
    const account = { email: `${name}@example.test`, password: 'a long enough one' };
    const post = (path: string, body: object) =>
      fetch(host.origin + path, { method: 'POST', body: JSON.stringify(body) });
    await post('/api/account/register/', { username: name, ...account });
    const mail = host.mails.at(-1);
    await fetch(`${host.origin}/api/account/verify-email/${mail?.uid}/${mail?.token}/`);
    const page = await newPage({
      allow: /40[0149]|ERR_FAILED|ERR_ABORTED|Failed to load resource|unsafe header/,
    });
    await openAsMember(page, account);
    await openDialog(page);
    return page;
  }

  it('files are dropped, shown truncated, replaced and removed; a file without audio raises the alert', async () => {
    const page = await openProfile('dropper');
    const long = `${'とても長い名前の曲'.repeat(4)}.mp3`;
    await drop(page, '.file-slot >> nth=0', [long, 'audio/mpeg']);
    await dialogOf(page)
      .getByText(`${[...long].slice(0, 30).join('')}…`)
      .waitFor();
    expect(await inputOf(page, 1).evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe(long);

    await drop(page, '.file-slot >> nth=0', ['曲.mp3', 'application/x-msdownload']);
    await page
      .getByRole('alertdialog')
      .getByText('Error: Please upload a valid .mp3 or .m4a file.')
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
    expect(await dialogOf(page).isVisible()).toBe(true);
    expect(await dialogOf(page).getByText('とても長い').count()).toBe(0);
    expect(await inputOf(page, 1).evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);

    await drop(page, '.file-slot >> nth=1', ['a.mp3', 'audio/mpeg'], ['b.m4a', 'audio/x-m4a']);
    await dialogOf(page).getByText('b.m4a').waitFor();
    await dialogOf(page).getByRole('button', { name: '2曲目を外す' }).click();
    await expect.poll(() => focusedId(page)).toBe('quality-check-file_2');
    expect(await dialogOf(page).getByText('a.mp3').count()).toBe(0);
    // A drop outside the slots is ignored, and the page stays.
    expect(await drop(page, 'dialog[open] h2', ['c.mp3', 'audio/mpeg'])).toBe(false);
    expect(await dialogOf(page).getByText('c.mp3').count()).toBe(0);

    await page.keyboard.press('Escape');
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    await openDialog(page);
    expect(await dialogOf(page).getByText('b.m4a').count()).toBe(1);
  });

  it('is sent with progress, cancelled, resent after a failure without choosing again, and is spec §7', async () => {
    const page = await openProfile('sender');
    const large = [600, 700, 800].map((hertz) => makeFile(`refused ${hertz}.mp3`, hertz, 30));
    await fillIn(page, [large[0]!, large[1]!, FILES[2]!]);
    const network = await page.context().newCDPSession(page);
    const throttle = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await throttle(50_000);
    await submitOf(page).click();
    await dialogOf(page)
      .getByText(/^\d+ KB \/ \d+ KB（[1-9]\d?%）$/)
      .waitFor();
    expect(await submitOf(page).innerText()).toBe('処理中...');
    expect(await inputOf(page, 1).isDisabled()).toBe(true);
    // Closing the dialog does not stop the upload.
    await page.keyboard.press('Escape');
    await expect.poll(() => sectionOf(page).innerText()).toMatch(/\d+ KB \/ \d+ KB/);
    await page.getByRole('button', { name: '送信のようすを見る' }).click();
    await dialogOf(page).getByRole('button', { name: '送信を中止' }).click();
    await expect.poll(() => submitOf(page).innerText()).toBe('申請する');
    expect(host.applications).toEqual([]);
    await throttle(-1);

    const connect = await answerRequests(page, '**/upload-quality-check/', (route) => route.abort());
    await submitOf(page).click();
    await dialogOf(page)
      .getByText(/サーバーに接続できませんでした/)
      .first()
      .waitFor();
    connect();
    await dialogOf(page).getByRole('button', { name: 'もう一度送信する' }).click();
    for (const message of ['This is no sound.', 'Try another one.']) {
      // By a toast, and for visitors who cannot see it by the dialog's own status.
      await page
        .getByRole('region', { name: /^お知らせ/ })
        .getByText(`file_1: ${message}`)
        .waitFor();
      await expect.poll(() => dialogOf(page).locator('.form-error', { hasText: message }).count()).toBe(2);
    }
    for (const number of [1, 2]) await inputOf(page, number).setInputFiles(FILES[number - 1]!);
    await inputOf(page, 5).setInputFiles(makeFile('五.mp3', 900));
    await submitOf(page).click();
    await page.getByText('クオリティチェックが申請されました').waitFor();
    expect(host.applications).toEqual([
      {
        files: [
          ['file_1', FILES[0]!.name],
          ['file_2', FILES[1]!.name],
          ['file_3', FILES[2]!.name],
          ['file_5', '五.mp3'],
        ],
        texts: [
          ['user_id', expect.stringMatching(/^\d+$/)],
          ['types', '1'],
        ],
      },
    ]);
    await page.reload();
    await page.getByText('申請を受け付けました').waitFor();
    expect(await page.getByRole('button', { name: '申請する' }).isDisabled()).toBe(true);
  });

  it('asks before chosen files are lost by leaving', async () => {
    const page = await openProfile('leaver');
    await inputOf(page, 1).setInputFiles(FILES[0]!);
    await page.keyboard.press('Escape');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('navigation', { name: 'メニュー' }).getByRole('link', { name: 'サウンド' }).click();
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(new URL(page.url()).pathname).toBe('/profile');
  });
});

/** Drops files onto an element. Returns whether the browser would have opened them. */
function drop(page: Page, selector: string, ...files: (readonly [name: string, type: string])[]) {
  return page.locator(selector).evaluate(
    (target, files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, type] of files) dataTransfer.items.add(new File(['sound'], name, { type }));
      const options = { bubbles: true, cancelable: true, dataTransfer };
      target.dispatchEvent(new DragEvent('dragover', options));
      return target.dispatchEvent(new DragEvent('drop', options));
    },
    files.map(([name, type]) => [name, type] as const),
  );
}

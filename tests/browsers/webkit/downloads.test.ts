import { createHash } from 'node:crypto';
import { By } from 'selenium-webdriver';
import { beforeAll, describe, expect, it } from 'vitest';
import { putNotices } from '../../browser/support/notices.ts';
import { useOwnSite } from '../../browser/support/sites.ts';
import { find, named, press, readText, useWebkit, withText } from './webkit.ts';

const site = useOwnSite();
const { open } = useWebkit(() => site.url);
beforeAll(() => putNotices(site, [{}]));

describe('in WebKit, a rewarded download', () => {
  it('shows the notice of the house, saves the file, and leads to its certificate', async () => {
    const window = await open('/sounds?search=最新の戦闘音', { width: 1440 });
    await press(window, named('最新の戦闘音をダウンロード'));
    await find(window, withText('広告閲覧後、無料でダウンロードされます。'));
    await press(window, named('広告を見てダウンロード'));
    await find(window, By.css('dialog.notice-overlay img'));
    const name = '最新の戦闘音 - 音の人.mp3';
    await expect.poll(window.listDownloads, { timeout: 20_000 }).toEqual([name]);
    await press(window, named('利用証明書'));
    await find(window, By.xpath('//h1[normalize-space()="利用証明書"]'));
    const hash = createHash('sha256')
      .update(await window.readDownload(name))
      .digest('hex');
    expect((await readText(window, By.css('main'))).replaceAll(/\s/g, '')).toContain(hash);
  });
});

import { describe, expect, it } from 'vitest';
import { findFaults } from '../support/axe.ts';
import { useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();

describe('the page about the API', () => {
  it('shows a call by its address, with its texts and errors, and loads nothing from elsewhere', async () => {
    const page = await newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto('/api/docs#/my-sounds/updateSound');
    await page.getByText('このサウンドは変更できないか、アカウントが制限されている').waitFor();
    await page.getByText('テンポ（BPM）。空の値は推定に戻す').waitFor();
    const { origin } = new URL(page.url());
    expect(new Set(requested.map((url) => new URL(url).origin))).toEqual(new Set([origin]));
    // The region of the replies has no name of its own in Swagger UI.
    const faults = await findFaults(page);
    expect(faults.filter((fault) => !fault.startsWith('landmark-unique'))).toEqual([]);
  });

  it('sends no calls', async () => {
    const page = await open('/api/docs#/catalogue/listSounds');
    await page.getByText('並び順。relevance は検索のときだけ意味をもつ').waitFor();
    expect(await page.getByRole('button', { name: /try it out|execute|authorize/i }).count()).toBe(0);
    expect(await page.locator('#calls :is(input, textarea)').count()).toBe(0);
  });

  it('fits a narrow screen with a call opened', async () => {
    const page = await open('/api/docs#/my-sounds/updateSound', { width: 320 });
    await page.getByText('テンポ（BPM）。空の値は推定に戻す').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it('follows the colours of the system', async () => {
    const page = await open('/api/docs', { colorScheme: 'dark' });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).not.toBe(dark);
  });

  it('names the document without scripts', async () => {
    const page = await open('/api/docs', { javaScriptEnabled: false });
    await page.getByRole('link', { name: '/api/openapi.json' }).click();
    expect(new URL(page.url()).pathname).toBe('/api/openapi.json');
  });
});

import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openBucket } from '#server/platform/storage/open.ts';
import { startS3, startSecondS3 } from '#support/processes/s3.ts';
import { useBrowser } from '../support/pages.ts';
import { type Site, startSite } from '../support/sites.ts';

let site: Site;
const { open } = useBrowser(() => site.url);

it('shows pictures and plays sounds from the bucket of the site without streaming them', async () => {
  const s3 = await startS3(startSecondS3);
  const bucket = openBucket(s3.location);
  const folder = await openFolderStorage(join(inject('siteTemplate'), 'files'));
  for await (const { key } of folder.list()) await bucket.put(key, await folder.open(key));
  site = await startSite({ STORAGE_URL: s3.url, MEDIA_REDIRECT: 'signed' });
  try {
    s3.seen.length = 0;
    const readByBrowser = (folder: string) =>
      s3.seen.filter(({ path, query }) => path.includes(`/${folder}/`) && query.has('X-Amz-Signature'));
    const page = await open('/sounds?search=静かな雨 40');
    const pictures = page.locator('main img[src^="/media/pictures/"]');
    await expect
      .poll(() => pictures.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(readByBrowser('pictures').length).toBeGreaterThan(0);

    const card = page.locator('[data-sound]', { hasText: '静かな雨 40' }).first();
    await card.locator('[data-play]').click();
    const slider = card.getByRole('slider');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^[1-9]\d*秒/);
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.75, box.y + box.height / 2);
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^1[5-9]秒/);
    expect(readByBrowser('sounds').length).toBeGreaterThan(0);
    const streamed = s3.seen.filter(
      ({ path, query }) => /\/(?:pictures|sounds)\//.test(path) && !query.has('X-Amz-Signature'),
    );
    expect(streamed).toEqual([]);
  } finally {
    await site.stop();
  }
  expect(site.log, 'the server’s log is silent').toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CHOSEN, TITLES, writeChosen } from '../support/artist-files.ts';
import { addArtist, cardOf, chooseSounds, openMySounds, queueOf } from '../support/artists.ts';
import { useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const { site, open, newPage } = useBrowser(useSite());
/** Browsers log every refused request to the console. */
const allow = /status of 40[0349]/;

it('U2: an artist chooses ten files at once; each row shows its result, and the valid ones are listed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'several-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const page = await newPage({ allow });
  await openMySounds(page, await addArtist(site, '十曲の人'));
  await chooseSounds(page, await writeChosen(join(folder, 'chosen')));
  const queue = queueOf(page);
  const row = (name: string) => queue.getByRole('listitem').filter({ hasText: name });
  const failing = Object.entries(CHOSEN).filter(([, each]) => 'problem' in each);
  await expect
    .poll(
      async () => [await queue.getByRole('listitem').count(), await queue.locator('.form-error').count()],
      {
        timeout: 30_000,
      },
    )
    .toEqual([failing.length, failing.length]);
  for (const [name, each] of failing) {
    if ('problem' in each) expect(await row(name).innerText()).toMatch(each.problem);
  }
  const cards = page.getByRole('tabpanel').getByRole('article');
  await expect.poll(() => cards.count()).toBe(TITLES.length);
  for (const title of TITLES) {
    // One at a time, because a card is named by its title.
    expect(await cardOf(page, title).getByText('非公開').count(), title).toBe(1);
  }
  for (const [name] of failing) await queue.getByRole('button', { name: `${name}を一覧から消す` }).click();
  await expect.poll(() => queue.count()).toBe(0);

  await page.reload();
  await expect.poll(() => cards.count()).toBe(TITLES.length);
  const visitor = await open('/sounds?search=moonlight', { allow });
  await visitor.getByText('条件に合うサウンドが見つかりませんでした').waitFor();
});

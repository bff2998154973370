import type { Browser } from 'playwright-core';
import { measureLoad, measurePress, openPhone } from '../slow-phone.ts';
import { type Row, SITES, type SiteName } from './figures.ts';
import { toUrl } from './sites.ts';
import { type Weights, weigh } from './weights.ts';

/** Throws when the sites do not show the same sounds, or when the benchmark would not find what it presses. */
export async function checkSameContent(browser: Browser): Promise<void> {
  const shown = [];
  for (const site of SITES) {
    const { page, close } = await openPhone(browser, false);
    await page.goto(`${toUrl(site)}/sounds`);
    const sounds = await page
      .locator('[data-sound] [data-play]')
      .evaluateAll((buttons) =>
        buttons.map((button) => new URL(button.getAttribute('data-play') ?? '', location.href).pathname),
      );
    const counts = await Promise.all(
      [
        page.locator('#search'),
        page.locator('a', { hasText: 'もっと見る' }),
        page.locator('[data-sound] button.favorite'),
        page.locator('[data-sound] button', { hasText: 'ダウンロード' }),
      ].map((locator) => locator.count()),
    );
    shown.push(JSON.stringify({ sounds, counts }));
    await close();
  }
  if (new Set(shown).size > 1) throw new Error(`the sites differ:\n${shown.join('\n')}`);
}

/** Times on the slow phone, each site in turn; loads that nobody touches and loads with a press alternate. */
export async function measureLoads(browser: Browser, runs: number): Promise<Row[]> {
  const loads = toRecord(() => [] as Awaited<ReturnType<typeof measureLoad>>[]);
  const presses = toRecord(() => [] as NonNullable<Awaited<ReturnType<typeof measurePress>>>[]);
  // The first run fills the caches of the servers.
  for (let run = -1; run < runs; run += 1) {
    for (const site of SITES) {
      const load = await measureLoad(browser, `${toUrl(site)}/sounds`);
      if (run >= 0) loads[site].push(load);
    }
    for (const site of SITES) {
      const press = await measurePress(browser, `${toUrl(site)}/sounds`);
      if (press === undefined) throw new Error(`${site} has no play button`);
      if (run >= 0) presses[site].push(press);
    }
  }
  const of = (key: keyof (typeof loads)['ours'][number]) =>
    toRecord((site) => loads[site].map((load) => load[key]));
  const ofPress = (key: keyof (typeof presses)['ours'][number]) =>
    toRecord((site) => presses[site].map((press) => press[key]));
  return [
    { label: 'first paint, ms', samples: of('paint'), compare: 'ratio' },
    { label: 'largest paint, ms', samples: of('largest'), compare: 'ratio' },
    { label: 'blocking, ms', samples: of('blocking'), compare: 'difference' },
    { label: 'CLS', samples: of('shift'), format: (value) => value.toFixed(3) },
    { label: 'first press that takes, ms', samples: ofPress('press'), compare: 'ratio' },
    { label: 'from that press to sound heard, ms', samples: ofPress('heard'), compare: 'ratio' },
    { label: 'blocking with that press, ms', samples: ofPress('blocking'), compare: 'difference' },
  ];
}

/** Bytes; they do not vary. `api`: the site with the API of the third. */
export async function measureWeights(browser: Browser, api: 'api' | 'remote'): Promise<Row[]> {
  const weights = {
    yardstick: await weigh(browser, { url: toUrl('yardstick'), apiUrl: '', isPlain: true }),
    ours: await weigh(browser, { url: toUrl('ours'), apiUrl: toUrl('ours'), isPlain: false }),
    remote: await weigh(browser, { url: toUrl('remote'), apiUrl: toUrl(api), isPlain: false }),
  };
  const row = (label: string, key: keyof Weights): Row => ({
    label,
    samples: toRecord((site) => [weights[site][key]]),
    format: (bytes) => (bytes / 1_000).toFixed(1),
  });
  return [
    row('HTML, brotli, KB', 'html'),
    { ...row('files until nothing is loaded any more', 'files'), format: String },
    row('the same in KB', 'bytes'),
    row('script executed before the first touch, KB', 'executed'),
    row('script fetched before the first touch, KB', 'fetched'),
    row('script executed before the first touch of a member, KB', 'executedByMember'),
    row('script executed after the first press on a heart (member), in all, KB', 'executedAfterHeart'),
    row('script executed after the first press on a download, in all, KB', 'executedAfterDownload'),
    row('script fetched after the first press on a download, in all, KB', 'fetchedAfterDownload'),
  ];
}

function toRecord<Value>(make: (site: SiteName) => Value): Record<SiteName, Value> {
  return { yardstick: make('yardstick'), ours: make('ours'), remote: make('remote') };
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { NODE_OPTIONS } from '#support/processes/node-options.ts';

const PAGES = 1_000;
/** 64 to 79 while Astro keeps its data of a page, 22 to 27 without: what React and undici hold weakly, and accessors. */
const KEPT_KIB_MAX = 45;

/** Prints how much of each page survives collections of young objects, in KiB. */
const MEASURE = `
import { Session } from 'node:inspector/promises';
import { DIST_DIR } from './server/build.ts';
import { loadPages } from './server/web/load-pages.ts';
import { toRenderPage } from './server/web/rendering.ts';
import { parsePublicSettings } from './server/web/public-settings.ts';
import { createParts } from './contract/site/page-parts.ts';

const sounds = Array.from({ length: 20 }, (_, index) => ({
  id: 'sound' + index, title: 'あめ' + index, artist_name: '音の人', description: 'しずかな雨', file_url: '/a.mp3',
}));
const replies = { '/api/sounds/': { results: sounds, next: null, count: 20 } };
const answer = (url) => Response.json(replies[new URL(url).pathname] ?? []);
const render = toRenderPage(await loadPages(DIST_DIR), {
  settings: parsePublicSettings({ SITE_URL: 'http://site.test', API_ORIGIN: 'http://api.test' }),
  fetchApi: async (input) => answer(new Request(input).url),
  replies: new Map(),
  reportError: console.error,
  warn: () => {},
});
const renderAll = async (count) => {
  for (let index = 0; index < count; index += 1) {
    const page = await render('/sounds', 'test', () => {}, createParts());
    if (page.status !== 200 || !(await page.text()).includes('sound-grid')) throw new Error('no listing');
  }
};
await renderAll(${PAGES});
const session = new Session();
session.connect();
await session.post('HeapProfiler.startSampling', {
  samplingInterval: 4096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: false,
});
await renderAll(${PAGES});
// Two collections and more.
for (let count = 0; count < 1_000_000; count += 1) globalThis.young = [count];
const { profile } = await session.post('HeapProfiler.stopSampling');
const sum = ({ selfSize, children }) => children.reduce((total, child) => total + sum(child), selfSize);
console.log(sum(profile.head) / 1024 / ${PAGES});
process.exit();
`;

test('a rendered page is freed by the next collection of young objects', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...NODE_OPTIONS, '--input-type=module', '--eval', MEASURE],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  expect(Number(stdout)).toBeLessThan(KEPT_KIB_MAX);
});

/**
 * Takes the screenshots of the README: `npm exec -- node docs/screenshots/make.ts`. Starts the demo in a temporary
 * folder and captures two pages at a width of 1,280 px. Japanese fonts must be installed (fonts-noto-cjk on Debian).
 * `DEMO_DATA_DIR` names an existing demo folder; creating one takes half a minute of processor time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { DEMO_PASSWORD } from '../../demo/accounts.ts';
import { launchChromium } from '../../tests/browser/support/launch.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const SIZE = { width: 1280, height: 960 };
const BYTES_MAX = 150_000;
const START_MS_MAX = 600_000;

interface Demo {
  readonly url: string;
  readonly process: ChildProcess;
}

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
const demo = await startDemo(process.env['DEMO_DATA_DIR'] ?? join(folder, 'demo')).catch(async (error) => {
  await rm(folder, { recursive: true, force: true });
  throw error;
});
try {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({
      baseURL: demo.url,
      viewport: SIZE,
      locale: 'ja-JP',
      deviceScaleFactor: 1.5,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto('/sounds');
    await save(page, 'listing');
    await page.goto('/login');
    await page.locator('input[name=email]').fill('verified@example.test');
    await page.locator('input[name=password]').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'ログイン', exact: true }).click();
    await page.waitForURL('**/profile');
    await page.getByRole('tab', { name: 'BGM' }).waitFor();
    await save(page, 'profile');
  } finally {
    await browser.close();
  }
} finally {
  demo.process.kill('SIGTERM');
  if (demo.process.exitCode === null) await once(demo.process, 'exit');
  await rm(folder, { recursive: true, force: true });
}

/** Rejects when the demo ends, or is not ready within ten minutes. */
async function startDemo(dataDir: string): Promise<Demo> {
  const child = spawn(process.execPath, [join(ROOT, 'demo/main.ts')], {
    cwd: ROOT,
    env: { ...process.env, DEMO_DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGTERM');
      reject(new Error(`The demo did not start within ${START_MS_MAX / 1000} s.`));
    }, START_MS_MAX);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The demo ended with exit code ${code}.`));
    });
    createInterface(child.stdout).on('line', (line) => {
      const found = / runs at (http\S+)/.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  return { url, process: child };
}

/** Waits for all visible pictures and fonts, and writes `<name>.webp` beside this file. */
async function save(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    const inSight = [...document.images].filter(
      (image) => image.getBoundingClientRect().top < window.innerHeight,
    );
    await Promise.all(inSight.map((image) => image.decode()));
  });
  const path = join(import.meta.dirname, `${name}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toFile(path);
  const { size } = await stat(path);
  console.log(`${name}.webp: ${Math.round(size / 1000)} kB`);
  if (size > BYTES_MAX)
    throw new Error(`${name}.webp has ${size} bytes; the limit is ${BYTES_MAX}. Lower its quality.`);
}

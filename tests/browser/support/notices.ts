import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { readNoticeFile } from '#server/features/notices/files.ts';
import { listNotice, storeNotice } from '#server/features/notices/storing.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { openDatabase } from '#server/schema/open.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { parseSettings } from '#server/settings.ts';
import type { Site } from './sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

export interface NoticeEntry {
  readonly text?: string;
  readonly link?: string;
  readonly seconds?: number;
  readonly video?: Buffer;
  /** WebVTT. */
  readonly captions?: string;
}

/** Replaces the notices of a running site. Each is a picture unless it has a video. */
export async function putNotices(site: Site, entries: readonly NoticeEntry[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-notices-'));
  const read = async (name: string, content: Buffer | string) => {
    await writeFile(join(folder, name), content);
    return readNoticeFile(join(folder, name), ['picture', 'video', 'captions']);
  };
  const settings = parseSettings({ DATA_DIR: site.dataDir });
  const database = await openDatabase(settings.database);
  const deps = { database, storage: await openStorage(settings.storage), clock: systemClock };
  const list = [];
  await everyTable(database.db)
    .updateTable('notices')
    .set({ state: 'removed', state_since: Date.now() })
    .execute();
  for (const [index, { video, captions, ...entry }] of entries.entries()) {
    const fields = { text: '春の市の絵', link: '', seconds: 5, from: '', until: '', ...entry };
    const picture = video ?? (await draw(`hsl(${index * 80 + 20} 60% 55%)`));
    const notice = {
      fields,
      file: await read(`${index}.${video ? 'webm' : 'png'}`, picture),
      captions: captions === undefined ? undefined : await read(`${index}.vtt`, captions),
    };
    const add = (id: string) =>
      database.db
        .transaction()
        .execute((transaction: Handle) => listNotice(transaction, id, index, systemClock.now()));
    await storeNotice(deps, notice, () => Promise.resolve(), add);
    list.push(fields);
  }
  await database.close();
  await rm(folder, { recursive: true });
  // The server reads the list once a second. Until then, it serves the previous one.
  for (;;) {
    const { notice } = (await (await fetch(`${site.url}/notice/next`)).json()) as {
      notice: Required<NoticeEntry> | null;
    };
    const isOneOf = list.some(
      ({ text, link, seconds }) =>
        text === notice?.text && (link || null) === notice.link && seconds === notice.seconds,
    );
    if (notice === null ? list.length === 0 : isOneOf) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function draw(background: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="${background}"/><circle cx="640" cy="360" r="220" fill="#fff" opacity="0.6"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Two seconds of a moving circle with a tone, as WebM, recorded by the browser that plays it. */
export async function recordVideo(browser: Browser): Promise<Buffer> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const paint = canvas.getContext('2d');
    const sound = new AudioContext();
    const speaker = sound.createMediaStreamDestination();
    const tone = sound.createOscillator();
    tone.connect(speaker);
    tone.start();
    const stream = new MediaStream([...canvas.captureStream(20).getTracks(), ...speaker.stream.getTracks()]);
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start();
    for (let frame = 0; frame < 40; frame += 1) {
      if (paint) {
        paint.fillStyle = '#1c2b4a';
        paint.fillRect(0, 0, 320, 180);
        paint.fillStyle = '#f2b84b';
        paint.fillRect(frame * 7, 60, 60, 60);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await stopped;
    await sound.close();
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  await context.close();
  return Buffer.from(base64, 'base64');
}

/** Words that must not appear near an advertisement: they ask for support, donations or help, or for a click. */
export const BEGGING = /支援|応援|寄付|募金|助け|お願い|サポート|クリック|support|donat|help/i;

export const pressDownload = (page: Page, title: string) =>
  page.getByRole('button', { name: `${title}をダウンロード`, exact: true }).click();

/** Accepts the prompt of spec §8. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole('dialog').getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
  await page.getByRole('button', { name: '広告を見てダウンロード' }).click();
}

/** The alert of spec §8 when nothing could be shown. The answer to it has no effect. */
export async function closeAlert(page: Page): Promise<void> {
  const alert = page.getByRole('alertdialog').filter({ hasText: '広告が表示されませんでした。' });
  await alert.getByRole('button', { name: 'OK' }).click();
  await alert.waitFor({ state: 'hidden' });
}

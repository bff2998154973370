import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESUMABLE_PIECE_BYTES } from '#contract/sounds/resumable-uploads.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { addArtist } from '../support/artists.ts';
import { ARTIST_EMAIL, MEMBER } from '../support/catalogue.ts';
import { findFreePort } from '../support/foreign-sites.ts';
import { type Account, logIn, openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useOwnSite, useSite } from '../support/sites.ts';

/** Browsers log every failed and every refused request to the console. */
const allow = /Failed to load resource|net::ERR|40[14]|Cross-Origin Request Blocked/;
const OFFSETS = [0, 1, 2].map((piece) => piece * RESUMABLE_PIECE_BYTES);

const site = useSite();
let folder: string;
let artist: Account;
const { newPage } = useBrowser(() => site.url);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resume-'));
  artist = await addArtist(site, '続きを送る人');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A file of three pieces. Each file has other content, and its time stays the same when it is chosen again. */
let files = 0;
async function makeFile(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, makeLongMp3(2 * RESUMABLE_PIECE_BYTES + 64 * 1024, (files += 1)));
  return path;
}

/**
 * The requests sent, and a gate before the second piece, to stop in the middle of a file. The gate is in the page:
 * requests that Playwright holds are copied several times, which takes seconds for pieces.
 */
async function watchPieces(page: Page) {
  const offsets: number[] = [];
  const calls: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let held = 0;
  let isOpen = false;
  await page.context().exposeFunction('passUpload', async (method: string, offset: number) => {
    calls.push(method);
    if (method !== 'PATCH') return;
    offsets.push(offset);
    if (offset === 0 || isOpen) return;
    held += 1;
    await opened;
  });
  await page.context().addInitScript(gateUploads);
  await page.evaluate(gateUploads);
  return {
    offsets,
    calls,
    untilHeld: () => expect.poll(() => held).toBe(1),
    /** Lets all requests through from now on. */
    open() {
      isOpen = true;
      open();
    },
  };
}

/** Runs in the page: asks `passUpload` before each request of an upload. */
function gateUploads(): void {
  const { open, send, setRequestHeader, abort } = XMLHttpRequest.prototype;
  const { passUpload } = window as unknown as { passUpload(method: string, offset: number): Promise<void> };
  const methods = new WeakMap<XMLHttpRequest, string>();
  const offsets = new WeakMap<XMLHttpRequest, number>();
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
    if (String(url).includes('/api/uploads/')) methods.set(this, method);
    open.call(this, method, url, true);
  };
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (name.toLowerCase() === 'upload-offset') offsets.set(this, Number(value));
    setRequestHeader.call(this, name, value);
  };
  XMLHttpRequest.prototype.abort = function () {
    methods.delete(this);
    abort.call(this);
  };
  XMLHttpRequest.prototype.send = function (body) {
    const method = methods.get(this);
    if (method === undefined) return send.call(this, body);
    void passUpload(method, offsets.get(this) ?? 0).then(() => {
      // It may have been aborted meanwhile.
      if (methods.has(this)) send.call(this, body);
    });
  };
}

async function openSounds(): Promise<Page> {
  const page = await openAsMember(newPage({ allow }), artist);
  await page.getByRole('tab', { name: 'BGM' }).waitFor();
  return page;
}
const choose = (page: Page, ...paths: string[]) =>
  page.getByLabel('音声ファイル', { exact: true }).setInputFiles(paths);
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'アップロード中のファイル' })
    .getByRole('listitem')
    .filter({ hasText: name });
const hasArrived = (page: Page) => page.getByText('サウンドがアップロードされました').first().waitFor();
const isQueueEmpty = (page: Page) =>
  expect.poll(() => page.getByRole('list', { name: 'アップロード中のファイル' }).count()).toBe(0);

/** What the browser stores of uploads: notes, and names of files. */
function readKept(page: Page) {
  return page.evaluate(async () => {
    const notes = Object.keys(localStorage).filter((key) => key.startsWith('upload:')).length;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('uploads');
      request.onupgradeneeded = () => request.result.createObjectStore('files');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const stored = await new Promise<number>((resolve) => {
      const request = database.transaction('files').objectStore('files').count();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return { notes, files: stored };
  });
}
const hasFile = (page: Page) => expect.poll(async () => (await readKept(page)).files).toBe(1);

describe('an upload on our own host', () => {
  it('waits while there is no connection, says so, and resumes from the host’s offset', async () => {
    const page = await openSounds();
    const wire = await watchPieces(page);
    await choose(page, await makeFile('途切れ.mp3'));
    await wire.untilHeld();
    await page.getByRole('button', { name: 'Uploading..' }).waitFor();
    await page.context().setOffline(true);
    wire.open();
    const row = rowOf(page, '途切れ.mp3');
    await row.getByText('4.2 MB / 8.5 MB').waitFor();
    await row.getByText('接続を待っています。つながると続きから送ります。').waitFor();
    await page.getByText('1件が再開を待っています。').waitFor({ state: 'attached' });
    await page.context().setOffline(false);
    await hasArrived(page);
    await isQueueEmpty(page);
    expect(wire.calls.filter((method) => method === 'POST')).toHaveLength(1);
    expect(wire.offsets[0]).toBe(0);
    expect(wire.offsets.slice(1)).not.toContain(0);
    expect(wire.offsets.at(-1)).toBe(OFFSETS[2]);
    expect(await readKept(page)).toEqual({ notes: 0, files: 0 });
  });

  it('resumes without a question after a reload in the middle', async () => {
    const page = await openSounds();
    page.on('dialog', (dialog) => expect.fail(`asked: ${dialog.message()}`));
    const wire = await watchPieces(page);
    await choose(page, await makeFile('読み直し.mp3'));
    await wire.untilHeld();
    await hasFile(page);
    await page.reload();
    wire.open();
    await rowOf(page, '読み直し.mp3').waitFor();
    await hasArrived(page);
    await isQueueEmpty(page);
    expect(wire.calls.filter((method) => method === 'POST')).toHaveLength(1);
    expect(wire.offsets.slice(0, 1)).toEqual([0]);
    expect(wire.offsets.slice(1)).not.toContain(0);
    const card = page.getByRole('article', { name: '読み直し', exact: true });
    await card.waitFor();
  });

  it('continues while its artist looks at other pages', async () => {
    const page = await openSounds();
    const wire = await watchPieces(page);
    await choose(page, await makeFile('よそ見.mp3'));
    await wire.untilHeld();
    await hasFile(page);
    await page.evaluate(() => Reflect.set(window, 'isSamePage', true));
    await page.getByRole('contentinfo').getByRole('link').first().click();
    await page.waitForURL((url) => url.pathname !== '/profile');
    wire.open();
    await hasArrived(page);
    expect(await page.evaluate(() => Reflect.get(window, 'isSamePage') as unknown)).toBe(true);
    expect(wire.offsets).toEqual(OFFSETS);
  });

  it('U17: survives the expiry of its access token, which is renewed in the middle', async () => {
    const page = await openSounds();
    const wire = await watchPieces(page);
    await choose(page, await makeFile('長い夜.mp3'));
    await wire.untilHeld();
    await page.evaluate(() => localStorage.setItem('token', 'no.longer.good'));
    wire.open();
    await hasArrived(page);
    expect(wire.calls.filter((method) => method === 'POST')).toHaveLength(1);
    expect(wire.offsets.slice(1)).not.toContain(0);
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBe('no.longer.good');
  });

  it('is sent by one tab only; another shows it, and takes over when the first is closed', async () => {
    const page = await openSounds();
    const wire = await watchPieces(page);
    await choose(page, await makeFile('二つの窓.mp3'));
    await wire.untilHeld();
    await hasFile(page);
    const other = await page.context().newPage();
    await other.goto('/profile');
    const row = rowOf(other, '二つの窓.mp3');
    await row.getByText('ほかのタブで処理しています').waitFor();
    await row.getByText('4.2 MB / 8.5 MB').waitFor();
    expect(wire.offsets).toEqual(OFFSETS.slice(0, 2));
    await page.close();
    wire.open();
    await hasArrived(other);
    await isQueueEmpty(other);
    expect(wire.offsets.slice(1)).not.toContain(0);
  });

  it('asks for the file where the browser keeps none, rejects any other, and resumes with the same', async () => {
    const page = await openSounds();
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.accept();
    });
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    const wire = await watchPieces(page);
    const [path, otherPath] = [await makeFile('満杯.mp3'), await makeFile('別の曲.mp3')];
    await choose(page, path);
    await wire.untilHeld();
    await page.reload();
    expect(asked, 'leaving costs something').toBe(1);
    const row = rowOf(page, '満杯.mp3');
    await row.getByText(/同じファイルを選ぶと、続きから送ります/).waitFor();
    const input = row.getByLabel('満杯.mp3の続きに使うファイル');
    await input.setInputFiles(otherPath);
    await row.getByText(/別のファイルです。「満杯.mp3」（8\.5 MB）を選んでください。/).waitFor();
    wire.open();
    await input.setInputFiles(path);
    await hasArrived(page);
    await isQueueEmpty(page);
    expect(wire.calls.filter((method) => method === 'POST')).toHaveLength(1);
    expect(wire.offsets.slice(1)).not.toContain(0);
  });
});

it('an upload whose file the browser sends as an empty one ends with an error, and can be sent again', async () => {
  const page = await openSounds();
  await page.evaluate(() => {
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      const isEmptied = body instanceof Blob && !Reflect.has(window, 'isMended');
      send.call(this, isEmptied ? new Blob([]) : body);
    };
  });
  await choose(page, await makeFile('空の小片.mp3'));
  const again = page.getByRole('button', { name: '空の小片.mp3を再試行' });
  await again.waitFor();
  await page.evaluate(() => Reflect.set(window, 'isMended', true));
  await again.click();
  await hasArrived(page);
});

describe('with the API on another origin', () => {
  let port: string;
  const api = useOwnSite(async () => {
    port = String(await findFreePort());
    return { RATE_LIMITS: 'off', WEB_ORIGIN: `http://127.0.0.1:${port}` };
  });
  const web = useOwnSite(() => ({ API_ORIGIN: api.url, PORT: port }));
  const browser = useBrowser(() => web.url);

  it('an upload also resumes after a lost connection', async () => {
    const page = await browser.newPage({ allow });
    await logIn(page, { ...MEMBER, email: ARTIST_EMAIL });
    const wire = await watchPieces(page);
    await choose(page, await makeFile('遠く.mp3'));
    await wire.untilHeld();
    await page.context().setOffline(true);
    wire.open();
    await rowOf(page, '遠く.mp3')
      .getByText(/接続を待っています/)
      .waitFor();
    await page.context().setOffline(false);
    await hasArrived(page);
    expect(wire.offsets.slice(1)).not.toContain(0);
  });
});

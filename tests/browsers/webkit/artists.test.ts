import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { By, Key } from 'selenium-webdriver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESUMABLE_PIECE_BYTES } from '#contract/sounds/resumable-uploads.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { addArtist, addSound } from '../../browser/support/artists.ts';
import { prepareLine } from './line.ts';
import {
  find,
  logIn,
  named,
  press,
  pressAt,
  pressKeys,
  type,
  useWebkit,
  waitUntilGone,
  withText,
  readValue,
} from './webkit.ts';

const { site, getLine } = prepareLine();
const { open } = useWebkit(() => getLine().url);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webkit-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

const audioInput = By.css('input[type=file][aria-label="音声ファイル"]');
const dialog = By.css('dialog.sheet[open]');
const question = By.css('dialog[role=alertdialog][open]');

describe('in WebKit, an artist', () => {
  it('uploads a sound over a line that breaks, and it is resumed', async () => {
    // The lost connection is written to the console.
    const window = await open('/login', {
      width: 1440,
      allow: /Failed to load resource|access control checks/,
    });
    await logIn(window, await addArtist(site, '線の切れる人'));
    await find(window, named('BGM'));
    const path = join(folder, '途切れた曲.mp3');
    await writeFile(path, makeLongMp3(2 * RESUMABLE_PIECE_BYTES + 64 * 1024, 1));
    getLine().cutAfter(RESUMABLE_PIECE_BYTES + 1024 * 1024);
    await (await window.driver.findElement(audioInput)).sendKeys(path);
    await find(window, withText('接続を待っています。つながると続きから送ります。'));
    // How much was sent, of which the host has the larger part.
    await find(window, withText(' MB / 8.5 MB'));
    getLine().mend();
    await find(window, withText('サウンドがアップロードされました'));
    await find(window, By.css('article[aria-label="途切れた曲"]'));
    await waitUntilGone(window, By.css('[aria-label="アップロード中のファイル"] li'));
  });

  it('closes a dialog by Escape and by a press beside it, and is asked about unsaved text', async () => {
    const artist = await addArtist(site, '書きかけの人');
    await addSound(site, artist, '書きかけの曲');
    const window = await open('/login', { width: 1440 });
    await logIn(window, artist);
    const edit = named('書きかけの曲を編集');
    const title = By.css('dialog[open] #sound-title');
    await press(window, edit);
    await find(window, title);
    await pressKeys(window, Key.ESCAPE);
    await waitUntilGone(window, dialog);
    await press(window, edit);
    await find(window, title);
    await pressAt(window, 5, 450);
    await waitUntilGone(window, dialog);
    await press(window, edit);
    await type(window, title, 'の続き');
    for (const leave of [() => pressAt(window, 5, 450), () => pressKeys(window, Key.ESCAPE)]) {
      await leave();
      await find(window, question);
      await pressKeys(window, Key.ESCAPE);
      await waitUntilGone(window, question);
      expect(await readValue(window, title)).toBe('書きかけの曲の続き');
    }
    await pressKeys(window, Key.ESCAPE);
    await press(window, named('変更を破棄する'));
    await waitUntilGone(window, dialog);
    await find(window, By.css('article[aria-label="書きかけの曲"]'));
  });
});

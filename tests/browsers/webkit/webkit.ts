import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, By, Capabilities, type WebDriver, type WebElement, error } from 'selenium-webdriver';
import { afterEach, expect } from 'vitest';
import type { Account } from '../../browser/support/members.ts';
import { type Program, findPort, startProgram } from '../../services/programs.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
/** That of Debian, which has the bindings of WebKitGTK. */
const PYTHON = '/usr/bin/python3';
/** Ends a program with the one that has started it, however that ends. */
const SETPRIV = '/usr/bin/setpriv';
const WITH_PARENT = ['--pdeathsig', 'KILL'];
const WINDOW = new URL('window.py', import.meta.url).pathname;
const TIMEOUT_MS = 15_000;
const PRINTED_CHARACTERS = 1_500;
/**
 * Lines of the console that are no fault: what a page writes on purpose; what WebKit says of a preloaded picture that a
 * lazy one uses, which comes from the network once; and of requests, such as
 * those of scripts, that end because their page is left.
 */
const QUIET_LINE =
  /CONSOLE (?:\w+ )?(?:LOG|INFO|DEBUG)|was preloaded using link preload but not used|Fetch API cannot load http:\/\/127\.0\.0\.1:\d+\/\S* due to access control checks|CONSOLE WARN Error: http:\/\/127\.0\.0\.1:\d+\/_astro\/\S+\.js$/;

/** The width of each journey, with the height of a usual screen. */
const HEIGHTS = { 320: 568, 768: 1024, 1440: 900 };

export interface WindowOptions {
  readonly width: keyof typeof HEIGHTS;
  readonly isDark?: boolean;
  readonly hasScripts?: boolean;
  /** Console lines that the journey causes. */
  readonly allow?: RegExp;
}

interface Opened {
  readonly driver: WebDriver;
  readonly program: Program;
  readonly folder: string;
  readonly allow: RegExp | undefined;
}

export interface Window {
  readonly driver: WebDriver;
  /** Opens a path of the site. */
  visit(path: string): Promise<void>;
  /** The names of the files that have been downloaded. */
  listDownloads(): Promise<string[]>;
  readDownload(name: string): Promise<Buffer>;
}

/** WebKitGTK for the journeys of a file. Any console line of a page, other than what is allowed, fails its journey. */
export function useWebkit(siteUrl: () => string) {
  const opened: Opened[] = [];

  afterEach(async ({ task }) => {
    const noise: string[] = [];
    for (const { driver, program, folder, allow } of opened.splice(0)) {
      try {
        if (task.result?.state === 'fail') await printPage(driver);
        await driver.quit();
      } finally {
        await program.end();
      }
      const lines = (await readFile(join(folder, 'console.log'), 'utf8')).split('\n');
      noise.push(
        ...lines.filter((line) => line.includes('CONSOLE') && !QUIET_LINE.test(line) && !allow?.test(line)),
      );
      await rm(folder, { recursive: true });
    }
    expect(noise, 'the console is silent').toEqual([]);
  });

  /** A window of its own, as of a person who has never been here. */
  async function open(
    path: string,
    { width, isDark, hasScripts = true, allow }: WindowOptions,
  ): Promise<Window> {
    const folder = await mkdtemp(join(tmpdir(), 'webkit-'));
    const downloads = join(folder, 'downloads');
    await mkdir(downloads);
    const args = [
      WINDOW,
      `--size=${width}x${HEIGHTS[width]}`,
      `--folder=${folder}`,
      ...(isDark ? ['--dark'] : []),
      ...(hasScripts ? [] : ['--no-scripts']),
    ];
    const capabilities = new Capabilities({
      browserName: 'window.py',
      'webkitgtk:browserOptions': { binary: SETPRIV, args: [...WITH_PARENT, PYTHON, ...args] },
    });
    const port = await findPort();
    // It has one session, so each window has a driver of its own.
    const program = await startProgram(SETPRIV, [...WITH_PARENT, DRIVER, `--port=${port}`], port);
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(capabilities)
      .build();
    opened.push({ driver, program, folder, allow });
    const visit = (to: string) => driver.get(new URL(to, siteUrl()).href);
    await visit(path);
    return {
      driver,
      visit,
      listDownloads: () => readdir(downloads),
      readDownload: (name) => readFile(join(downloads, name)),
    };
  }

  return { open };
}

/** The first visible element at this place. Waits for it. */
export function find(window: Window, place: By): Promise<WebElement> {
  return window.driver.wait(() => findNow(window, place), TIMEOUT_MS, String(place)) as Promise<WebElement>;
}

/**
 * The same without waiting; null: nothing is there. Undefined: the page was changing. The driver's own check takes popovers
 * and clipped text for invisible.
 */
async function findNow({ driver }: Window, place: By): Promise<WebElement | null | undefined> {
  try {
    return await driver.executeScript(
      (...elements: Element[]) =>
        elements.find((each) => each.checkVisibility({ visibilityProperty: true })) ?? null,
      ...(await driver.findElements(place)),
    );
  } catch (problem) {
    if (problem instanceof error.StaleElementReferenceError) return undefined;
    throw problem;
  }
}

/** Waits until nothing visible is at this place. */
export function waitUntilGone(window: Window, place: By): Promise<unknown> {
  return window.driver.wait(
    async () => (await findNow(window, place)) === null,
    TIMEOUT_MS,
    `gone: ${String(place)}`,
  );
}

export function readText(window: Window, place: By): Promise<string> {
  return use(window, place, (element) =>
    window.driver.executeScript((it: HTMLElement) => it.innerText, element),
  );
}

export function readValue(window: Window, place: By): Promise<string> {
  return use(window, place, (element) =>
    window.driver.executeScript((it: HTMLInputElement) => it.value, element),
  );
}

/** Presses it with the pointer, which fails where something covers it. */
export function press(window: Window, place: By): Promise<void> {
  return use(window, place, async (element) => {
    await window.driver.wait(() => isReady(window, element), TIMEOUT_MS, `ready: ${String(place)}`);
    await element.click();
  });
}

export function type(window: Window, place: By, ...keys: string[]): Promise<void> {
  return use(window, place, (element) => element.sendKeys(...keys));
}

/** Waits as a person does: a page may replace an element that was found, or be about to bring it into view. */
async function use<Result>(
  window: Window,
  place: By,
  action: (element: WebElement) => Promise<Result>,
): Promise<Result> {
  for (const start = performance.now(); ;) {
    try {
      return await action(await find(window, place));
    } catch (problem) {
      const isEarly =
        problem instanceof error.StaleElementReferenceError ||
        problem instanceof error.ElementNotInteractableError;
      if (!isEarly || performance.now() - start > TIMEOUT_MS) throw problem;
    }
  }
}

/** Whether it is enabled, and neither it nor anything around it is moving. */
function isReady({ driver }: Window, element: WebElement): Promise<boolean> {
  return driver.executeScript(
    (place: Element) =>
      !place.matches(':disabled') &&
      !document.getAnimations().some(({ playState, effect }) => {
        const isMoving = playState === 'running' && effect?.getTiming().iterations !== Infinity;
        return isMoving && effect instanceof KeyframeEffect && effect.target?.contains(place);
      }),
    element,
  );
}

/** Sends keys to what has the focus. */
export async function pressKeys({ driver }: Window, ...keys: string[]): Promise<void> {
  await driver
    .actions()
    .sendKeys(...keys)
    .perform();
}

/** Presses a point of the viewport. */
export async function pressAt({ driver }: Window, x: number, y: number): Promise<void> {
  await driver.actions().move({ x, y }).click().perform();
}

/** Logs in by the form of the page. */
export async function logIn(window: Window, { email, password }: Account): Promise<void> {
  await type(window, byName('email'), email);
  await type(window, byName('password'), password);
  await press(window, By.css('main form button[type=submit]'));
  await window.driver.wait(
    async () => !(await window.driver.getCurrentUrl()).includes('/login'),
    TIMEOUT_MS,
    'logged in',
  );
  await find(window, named('ログアウト', 'nav'));
}

export const byName = (name: string): By => By.css(`input[name=${name}]`);
/** A button or link with this name, in what the selector finds. */
export const named = (name: string, within = '*'): By =>
  By.xpath(
    `//${within}//*[self::button or self::a or @role][@aria-label=${quote(name)} or normalize-space()=${quote(name)}]`,
  );
/** The innermost element with this text. */
export const withText = (text: string): By => {
  const has = `contains(normalize-space(), ${quote(text)})`;
  return By.xpath(`//body//*[${has}][not(*[${has}])]`);
};
const quote = (text: string) => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** Prints what the page of a failed journey shows, and where its picture is. */
async function printPage(driver: WebDriver): Promise<void> {
  const text = await driver.executeScript<string>(
    'return `${location.href} shows:\n${document.body.innerText}`',
  );
  const picture = join(tmpdir(), `webkit-${randomUUID()}.png`);
  await writeFile(picture, await driver.takeScreenshot(), 'base64');
  console.error(`${picture}\n${text.slice(0, PRINTED_CHARACTERS)}`);
}

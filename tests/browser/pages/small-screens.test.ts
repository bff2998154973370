import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { WIDTHS } from '../support/axe.ts';
import { openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();

const FINGER_PX = 44;

async function play(page: Page): Promise<void> {
  await page.locator('[data-play]').first().click();
  const player = page.getByRole('region', { name: 'プレーヤー' });
  await player.waitFor();
  // It slides into the viewport.
  await player.evaluate((bar) =>
    Promise.all(bar.getAnimations({ subtree: true }).map((each) => each.finished)),
  );
}

/** The size of the area around the middle of an element where a touch hits it. */
async function measureTarget(page: Page, selector: string) {
  const element = page.locator(selector).first();
  await element.evaluate((each) => each.scrollIntoView({ block: 'center' }));
  return element.evaluate((each) => {
    const box = each.getBoundingClientRect();
    const isHit = (y: number) => {
      const hit = document.elementFromPoint(box.left + box.width / 2, y);
      return hit !== null && each.contains(hit);
    };
    let height = 0;
    for (let y = box.top + 0.5; y < box.bottom; y += 1) if (isHit(y)) height += 1;
    return { width: box.width, height };
  });
}

describe('at each width, the touch target is 44 px for', () => {
  it('the title and the waveform of a card, and those of the player', async () => {
    const page = await open('/sounds');
    await play(page);
    const targets = [
      '[data-sound] h3 a',
      'li:nth-child(2) .card-wave svg',
      '#player a',
      '#player [role=slider]',
    ];
    for (const [width, selector] of WIDTHS.flatMap((width) =>
      targets.map((each) => [width, each] as const),
    )) {
      await page.setViewportSize({ width, height: 900 });
      // The player may still be sliding in.
      await expect
        .poll(async () => (await measureTarget(page, selector)).height, {
          message: `${selector} at ${width} px`,
        })
        .toBeGreaterThanOrEqual(FINGER_PX - 0.5);
      expect((await measureTarget(page, selector)).width, selector).toBeGreaterThanOrEqual(FINGER_PX);
    }
  });
});

const A_SOUND = 'the page of a sound';
const MAIN_PAGES = [
  '/',
  '/sounds',
  A_SOUND,
  '/artist/音の人',
  '/member-terms',
  '/legal/external-transmission',
  '/login',
  '/register',
  '/contact',
  '/nothing',
  '/profile',
];

/** A main page with the player of a sound, as a member if members see it. */
async function openMainPage(page: Page, path: string): Promise<void> {
  await openAsMember(page, undefined, '/sounds');
  await play(page);
  const soundPath = await page.locator('[data-sound] h3 a').first().getAttribute('href');
  if (/login|register/.test(path))
    await page.evaluate(() => ['auth', 'token', 'refresh'].forEach((key) => localStorage.removeItem(key)));
  await page.goto(path === A_SOUND ? (soundPath ?? '') : path);
  await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
  if (path === '/profile') await page.getByRole('combobox').waitFor();
}

/** As the font size in the settings of the browser does: queries in rem follow it too. */
async function doubleText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}

describe('each link and control that is not part of a sentence is at least 24 px high', () => {
  it.each(MAIN_PAGES)('on %s', async (path) => {
    const page = await newPage({ allow: /404/ });
    await openMainPage(page, path);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const low = await page.locator('a, button, input, select, summary').evaluateAll((elements) =>
        elements.flatMap((element) => {
          const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
          const isInSentence =
            getComputedStyle(element).display === 'inline' &&
            element.parentElement?.textContent.trim() !== element.textContent.trim();
          // A press on the label is one on its control.
          const { height } = (element.closest('label') ?? element).getBoundingClientRect();
          return isSeen && !isInSentence && height < 24
            ? [`${height} ${element.outerHTML.slice(0, 120)}`]
            : [];
        }),
      );
      expect(low, `${width} px`).toEqual([]);
    }
  });
});

describe('with text at twice the size by the font size of the browser', () => {
  it.each(MAIN_PAGES)('%s doubles every text, cuts none off and fits the screen', async (path) => {
    const page = await newPage({ allow: /404/ });
    await doubleText(page);
    await openMainPage(page, path);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width);
      const faults = await page.evaluate((isNarrow) => {
        // Titles have two lines in a card, and one in the player.
        const shortened = isNarrow ? '#player a' : '.line-clamp-2, #player a';
        return [...document.body.querySelectorAll<HTMLElement>('*')].flatMap((element) => {
          const { overflowX, overflowY, clipPath, fontSize } = getComputedStyle(element);
          const isHidden = !element.checkVisibility() || element.closest('.sr-only') || clipPath !== 'none';
          if (isHidden || element.innerText?.trim() === '' || element.innerText === undefined) return [];
          const hasText = [...element.childNodes].some(
            (node) => node instanceof Text && node.data.trim() !== '',
          );
          const isCut =
            /hidden|clip/.test(overflowX + overflowY) &&
            (element.scrollWidth > element.clientWidth + 1 ||
              element.scrollHeight > element.clientHeight + 1);
          const fault = isCut && !element.matches(shortened) ? 'cut off' : undefined;
          const kind = hasText && Number.parseFloat(fontSize) < 24 ? fontSize : fault;
          return kind === undefined ? [] : [`${kind}: ${element.outerHTML.slice(0, 160)}`];
        });
      }, width === 320);
      expect(faults, `${width} px`).toEqual([]);
    }
  });

  it.each([
    ['/', 'main form[role=search]', 'button'],
    ['/sounds', '#search-form', 'svg'],
  ])('the search box of %s keeps its room and its sign', async (path, form, sign) => {
    const page = await newPage();
    await doubleText(page);
    await page.goto(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const field = (await page.locator(form).getByRole('searchbox').boundingBox())!;
      const { x, y, ...size } = (await page.locator(form).locator(sign).first().boundingBox())!;
      expect(field.width, `${width} px`).toBeGreaterThanOrEqual(280);
      expect(x + size.width, `${width} px`).toBeLessThanOrEqual(width);
      // The sign of the navbar's box is in it; the button of the start page is beside or below it.
      if (sign === 'svg') expect(y + size.height / 2).toBeCloseTo(field.y + field.height / 2, 0);
      else expect(x >= field.x + field.width || y >= field.y + field.height, `${width} px`).toBe(true);
    }
  });
});

describe('the search box', () => {
  it('is 575 px wide from 700 px on, for members too (spec §9)', async () => {
    const page = await newPage();
    for (const isMember of [false, true]) {
      // A stored session is enough for the navbar.
      if (isMember) {
        await page.addInitScript(() => {
          localStorage.setItem('token', 'x');
          localStorage.setItem('auth', '{"isAuthenticated":true,"user":null}');
        });
        await page.route('**/api/**', (route) => route.fulfill({ json: { results: [], next: null } }));
      }
      await page.goto('/sounds');
      for (const width of [700, 768, 900, 1023, 1024, 1100, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const message = `${width} px, ${isMember ? 'member' : 'stranger'}`;
        expect((await page.getByRole('searchbox').boundingBox())!.width, message).toBe(575);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), message).toBe(width);
      }
    }
  });

  it('shrinks next to the menu on a low, wide screen', async () => {
    const page = await open('/sounds', { width: 844, height: 390 });
    expect((await page.locator('header').boundingBox())!.height).toBeLessThan(70);
    expect((await page.getByRole('searchbox').boundingBox())!.width).toBeGreaterThan(300);
  });
});

describe('logged in at 320×568', () => {
  it('header and player leave two thirds of the screen free, and clip nothing', async () => {
    const page = await openAsMember(newPage({ width: 320, height: 568 }), undefined, '/sounds');
    await play(page);
    await page.evaluate(() => scrollTo(0, 0));
    const [header, player] = await Promise.all(
      ['header', '#player'].map(async (selector) => (await page.locator(selector).boundingBox())!),
    );
    expect(header!.height + player!.height).toBeLessThanOrEqual(190);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const controls = page.locator(
      'header :is(a, button, input):visible, #player :is(a, button, [role=slider]):visible',
    );
    for (const control of await controls.all()) {
      const { x, y, width, height } = (await control.boundingBox())!;
      const name = await control.evaluate((element) => element.outerHTML.slice(0, 80));
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(FINGER_PX);
      expect([x >= 0, x + width <= 320, y >= 0, y + height <= 568], name).toEqual([true, true, true, true]);
    }
    await page.goto('/');
    expect((await page.locator('header').boundingBox())!.height).toBeLessThan(60);
    for (const [role, name] of [
      ['button', 'ログアウト'],
      ['link', 'アップロード'],
    ] as const) {
      expect(await page.locator('header').getByRole(role, { name, exact: true }).isVisible()).toBe(true);
    }
  });
});

describe('in forced colours', () => {
  /** The painted colours and the mark of an element. */
  const readLook = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element);
        return { backgroundColor, color, mark: getComputedStyle(element, '::before').content };
      });
  const readSystem = (page: Page) =>
    page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      const read = (name: string) => {
        probe.style.setProperty('color', name);
        return getComputedStyle(probe).color;
      };
      return { backgroundColor: read('Highlight'), color: read('HighlightText') };
    });

  it('the chosen state is visible: filters, the order, pages, hearts, repeat and tabs', async () => {
    const page = await open('/login', { forcedColors: 'active' });
    const selection = await readSystem(page);
    expect(await readLook(page, '.tab[aria-current]')).toMatchObject(selection);
    expect(await readLook(page, '.tab:not([aria-current])')).not.toMatchObject(selection);
    await openAsMember(page, undefined, '/sounds?is_ai_generated=false');
    await play(page);
    await page.locator('#player').getByRole('button', { name: 'リピート' }).click();
    await page.route('**/toggle-favorite', (route) => route.fulfill({ json: { is_favorited: true } }));
    await page.locator('.favorite').first().click();
    await page.locator('.favorite[aria-pressed=true]').waitFor();
    for (const chip of ['#type', '#ai-without', '#by-created', '[aria-label="1ページ"]']) {
      expect(await readLook(page, chip), chip).toMatchObject({ ...selection, mark: '"✓" / ""' });
    }
    for (const chip of ['#ai', '#ai-only', '#by-downloads', '[aria-label="2ページ"]']) {
      expect(await readLook(page, chip), chip).toMatchObject({ mark: 'none' });
      expect(await readLook(page, chip), chip).not.toMatchObject(selection);
    }
    for (const pressed of ['.favorite[aria-pressed=true]', '#player .toggle']) {
      expect(await readLook(page, pressed), pressed).toMatchObject(selection);
    }
    expect(await readLook(page, '.favorite[aria-pressed=false]')).not.toMatchObject(selection);
    await page.goto('/artist/音の人');
    expect(await readLook(page, '.chip[aria-current=true]')).toMatchObject({ mark: '"✓" / ""' });
  });

  it('a waveform shows the playback position in the colours of the visitor', async () => {
    const page = await open('/sounds', { forcedColors: 'active' });
    const { backgroundColor: highlight } = await readSystem(page);
    await play(page);
    const colours = await page
      .locator('#player [role=slider] svg')
      .evaluateAll((drawings) => drawings.map((drawing) => getComputedStyle(drawing).color));
    expect(colours[1]).toBe(highlight);
    expect(colours[0]).not.toBe(highlight);
  });
});

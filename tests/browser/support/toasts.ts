import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';

/** Smallest text size that counts as readable, in CSS pixels. */
const TEXT_PX_MIN = 13;
/** WCAG 2.2 AA for normal text. */
const CONTRAST_MIN = 4.5;

interface ShownToast {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly viewport: { readonly width: number; readonly height: number };
  readonly opacity: number;
  readonly textPx: number;
  readonly contrast: number;
  readonly background: readonly number[];
  /** Whether nothing covers the text; null while a modal dialog makes everything outside it inert. */
  readonly isOnTop: boolean | null;
  readonly isPaused: boolean;
}

/**
 * Fails unless a toast with this text is inside the viewport, opaque, readable and uncovered. Playwright's "visible"
 * is not enough: it includes an unstyled toast far below the end of the page.
 */
export async function expectToastInView(page: Page, text: string): Promise<void> {
  let last: ShownToast | null = null;
  await expect
    .poll(async () => (last = await readToast(page, text))?.isPaused ?? false, {
      message: `a toast “${text}” at rest`,
    })
    .toBe(true);
  const toast = last as unknown as ShownToast;
  const { box, viewport } = toast;
  const place = `${text} at ${JSON.stringify(box)} in ${JSON.stringify(viewport)}`;
  expect(box.x, place).toBeGreaterThanOrEqual(0);
  expect(box.y, place).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width, place).toBeLessThanOrEqual(viewport.width);
  expect(box.y + box.height, place).toBeLessThanOrEqual(viewport.height);
  expect(box.width, place).toBeGreaterThanOrEqual(Math.min(200, viewport.width / 2));
  expect(toast.opacity, place).toBe(1);
  expect(toast.textPx, place).toBeGreaterThanOrEqual(TEXT_PX_MIN);
  expect(toast.contrast, place).toBeGreaterThanOrEqual(CONTRAST_MIN);
  expect(toast.isOnTop, `${place}: nothing covers its text`).not.toBe(false);
  expect(await readPixel(page, toast), `${place}: nothing is painted over it`).toEqual(toast.background);
}

/** How the toast with this text that is not fading out appears to a person; null if there is none. */
function readToast(page: Page, text: string): Promise<ShownToast | null> {
  return page.evaluate((wanted) => {
    const toast = [
      ...document.querySelectorAll<HTMLElement>('[data-sonner-toast]:not([data-removed=true]), .plain-toast'),
    ].find(({ textContent }) => textContent.includes(wanted));
    if (!toast) return null;
    const label = toast.querySelector<HTMLElement>('[data-title]') ?? toast;
    const { x, y, width, height } = toast.getBoundingClientRect();
    const style = getComputedStyle(toast);
    const textStyle = getComputedStyle(label);
    const words = label.getBoundingClientRect();
    const hit = document.elementFromPoint(words.x + words.width / 2, words.y + words.height / 2);
    const hasModal = document.querySelector('dialog:modal') !== null;
    let opacity = 1;
    for (let each: Element | null = label; each; each = each.parentElement)
      opacity *= Number(getComputedStyle(each).opacity);
    const background = toRgb(style.backgroundColor);
    return {
      box: { x, y, width, height },
      viewport: { width: innerWidth, height: innerHeight },
      opacity,
      textPx: Number.parseFloat(textStyle.fontSize),
      contrast: toContrast(toRgb(textStyle.color), background),
      background,
      isOnTop: hasModal ? null : hit !== null && toast.contains(hit),
      // Until it is mounted it is outside the viewport, and does not move yet.
      isPaused: toast.dataset['mounted'] !== 'false' && toast.getAnimations().length === 0,
    };

    /** A transparent background is measured as black, and text on it counts as unreadable. */
    function toRgb(color: string): number[] {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      if (!canvas) throw new Error('no canvas');
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }

    function toContrast(one: number[], other: number[]): number {
      const [dark = 0, light = 0] = [toLuminance(one), toLuminance(other)].toSorted((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    }

    function toLuminance(rgb: number[]): number {
      const [red = 0, green = 0, blue = 0] = rgb.map((byte) => {
        const share = byte / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  }, text);
}

/** The screen colour in the toast's padding, where no text or icon is. */
async function readPixel(page: Page, { box }: ShownToast): Promise<number[]> {
  const clip = { x: Math.round(box.x) + 6, y: Math.round(box.y + box.height / 2), width: 1, height: 1 };
  const png = await page.screenshot({ clip });
  return [...(await sharp(png).removeAlpha().raw().toBuffer())];
}

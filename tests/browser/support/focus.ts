import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Focused {
  /** The accessible name, as far as labels and texts determine it; '' for the page itself. */
  readonly name: string;
  readonly isOnPage: boolean;
  readonly isMarked: boolean;
  readonly isInSight: boolean;
}

/** The focused element, and whether its focus is visible. */
function readFocus(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    if (element === null || element === document.body) {
      return { name: '', isOnPage: false, isMarked: false, isInSight: false };
    }
    const { labels } = element as HTMLInputElement;
    const labelledBy = (element.getAttribute('aria-labelledby') ?? '').split(' ');
    const name =
      element.getAttribute('aria-label') ??
      (labelledBy
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
        .trim() ||
        labels?.[0]?.textContent ||
        element.textContent);
    // An input that is hidden over its button is represented by the button.
    const shown = element.matches('input[type=file]') ? (element.parentElement ?? element) : element;
    const isMarked = [element, shown].some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { x, y, width, height } = shown.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const isInSight = top !== null && shown.contains(top);
    return { name: name.trim(), isOnPage: true, isMarked, isInSight };
  });
}

/** Fails unless this element has focus and shows it. */
export async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  const wanted = name instanceof RegExp ? expect.stringMatching(name) : name;
  await expect
    .poll(() => readFocus(page))
    .toEqual({ name: wanted, isOnPage: true, isMarked: true, isInSight: true });
}

/** Presses Tab until an element of this name has focus. Every stop on the way must show its focus. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const stops: string[] = [];
  for (let press = 0; press < 80; press += 1) {
    await page.keyboard.press(key);
    const focused = await readFocus(page);
    stops.push(focused.name);
    expect(focused, stops.join(' → ')).toMatchObject({ isOnPage: true, isMarked: true, isInSight: true });
    if (name instanceof RegExp ? name.test(focused.name) : focused.name === name) return;
  }
  throw new Error(`${key} does not reach ${name}: ${stops.join(' → ')}`);
}

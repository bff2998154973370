import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { depth } from '#support/depth.ts';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules about colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** How often axe looks at a page that moves meanwhile. */
const LOOKS_MAX = 3;

/** The widths of the specification, in CSS pixels. */
export const WIDTHS: readonly number[] = [320, 768, 1440];

/**
 * Fails if axe finds a fault in a page, or in a part of it, in light or dark, or if the page is wider than the screen
 * at any of the widths. axe runs in light at the narrowest and in dark at the widest, with SOAK=1 at all. In dark, where
 * only colours differ, only the rules about colours run.
 */
export async function expectAccessible(
  page: Page,
  where = ':root',
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  const viewport = page.viewportSize() ?? { width: 1440, height: 900 };
  const [narrowest, widest] = [Math.min(...widths), Math.max(...widths)];
  const axeWidths = {
    light: depth([narrowest], widths),
    // Colours rarely depend on the width.
    dark: depth([widest], widths),
  };
  for (const width of widths) {
    await page.setViewportSize({ ...viewport, width });
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!axeWidths[colorScheme].includes(width)) continue;
      await page.emulateMedia({ colorScheme });
      const faults = await findFaults(page, where, colorScheme === 'light' ? findRules() : COLOUR_RULES);
      expect(faults, `${colorScheme} at ${width} px`).toEqual([]);
    }
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(pageWidth, `the page at ${width} px`).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(viewport);
}

/** Firefox ESR 153 crashes after the rules about forms and ARIA have run. What they find is in the document, in any browser. */
const findRules = () => (inject('browser').engine === 'firefox' ? COLOUR_RULES : ALL_RULES);

/**
 * The faults that axe finds in a page at rest, or in a part of it, one per line. A toast can come or go while axe
 * looks: faults found then do not count, and axe looks again.
 */
export async function findFaults(page: Page, where = ':root', rules = findRules()): Promise<string[]> {
  // Not through a script element: the page's policy would block it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  for (let look = 1; ; look++) {
    await waitForAnimations(page);
    const { faults, hasMoved } = await lookForFaults(page, where, rules);
    if (faults.length === 0 || !hasMoved || look === LOOKS_MAX) return faults;
  }
}

/** The faults that axe finds now, and whether an animation that ends ran meanwhile. */
async function lookForFaults(
  page: Page,
  where: string,
  rules: readonly string[],
): Promise<{ faults: string[]; hasMoved: boolean }> {
  return await page.evaluate(
    async ([selector, runOnly]) => {
      const { axe } = window as unknown as {
        axe: { run(where: string, options: object): Promise<AxeResults> };
      };
      let hasMoved = false;
      const noteMovement = () => (hasMoved = true);
      const started = ['transitionrun', 'animationstart'];
      for (const event of started) document.addEventListener(event, noteMovement);
      const { violations } = await axe.run(selector, { runOnly, resultTypes: ['violations'] });
      for (const event of started) document.removeEventListener(event, noteMovement);
      const faults = violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      );
      return { faults, hasMoved };
    },
    [where, rules] as const,
  );
}

/** Waits until no animation or transition that ends is left, including those that replace another. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const findMoving = () =>
      document
        .getAnimations()
        .filter((each) => each.playState === 'running' && each.effect?.getTiming().iterations !== Infinity);
    for (let moving = findMoving(); moving.length > 0; moving = findMoving()) {
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}

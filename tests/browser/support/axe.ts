import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { depth } from '../../support/depth.ts';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules about colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The widths of the specification, in CSS pixels. */
export const WIDTHS: readonly number[] = [320, 768, 1440];

/**
 * Fails if axe finds a fault in a page, or in a part of it, in light or dark, or if the page is wider than the screen
 * at any of the widths. axe runs at the outermost widths, with SOAK=1 at all. In dark, where only colours differ, only
 * the rules about colours run.
 */
export async function expectAccessible(
  page: Page,
  where = ':root',
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  const viewport = page.viewportSize() ?? { width: 1440, height: 900 };
  const [narrowest, widest] = [Math.min(...widths), Math.max(...widths)];
  const axeWidths = {
    light: depth([narrowest, widest], widths),
    // Colours rarely depend on the width.
    dark: depth([widest], widths),
  };
  for (const width of widths) {
    await page.setViewportSize({ ...viewport, width });
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!axeWidths[colorScheme].includes(width)) continue;
      await page.emulateMedia({ colorScheme });
      const faults = await findFaults(page, where, colorScheme === 'light' ? ALL_RULES : COLOUR_RULES);
      expect(faults, `${colorScheme} at ${width} px`).toEqual([]);
    }
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(pageWidth, `the page at ${width} px`).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(viewport);
}

/** The faults that axe finds in a page at rest, or in a part of it, one per line. */
export async function findFaults(page: Page, where = ':root', rules = ALL_RULES): Promise<string[]> {
  await waitForAnimations(page);
  // Not through a script element: the page's policy would block it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([selector, runOnly]) =>
      (window as unknown as { axe: { run(where: string, options: object): Promise<AxeResults> } }).axe.run(
        selector,
        { runOnly, resultTypes: ['violations'] },
      ),
    [where, rules] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

/** Waits for all animations and transitions that end. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter((each) => each.playState === 'running' && each.effect?.getTiming().iterations !== Infinity);
    await Promise.all(moving.map((each) => each.finished.catch(() => undefined)));
  });
}

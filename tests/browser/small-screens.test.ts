import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './support/pages.ts';

const { open } = useBrowser();

const FINGER_PX = 44;

async function play(page: Page): Promise<void> {
  await page.locator('[data-play]').first().click();
  await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
}

/** The size of what a finger meets around the middle of an element: how far the element is hit. */
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

describe.each([320, 768, 1440])('at %d px, a finger meets 44 px of', (width) => {
  it('the title and the waveform of a card, and those of the player', async () => {
    const page = await open('/sounds', { width });
    await play(page);
    for (const selector of [
      '[data-sound] h3 a',
      'li:nth-child(2) .card-wave > div',
      '#player a',
      '#player [role=slider]',
    ]) {
      const { width: across, height } = await measureTarget(page, selector);
      expect(across, selector).toBeGreaterThanOrEqual(FINGER_PX);
      expect(height, selector).toBeGreaterThanOrEqual(FINGER_PX - 0.5);
    }
  });
});

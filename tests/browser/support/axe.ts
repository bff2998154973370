import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds against WCAG 2.2 AA in a page, or in a part of it; one line a fault. */
export async function findFaults(page: Page, where = ':root'): Promise<string[]> {
  // Not through a script element: the page's policy would refuse it.
  await page.evaluate(source);
  const { violations } = await page.evaluate(
    (selector) =>
      (window as unknown as { axe: { run(where: string, options: object): Promise<AxeResults> } }).axe.run(
        selector,
        { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
      ),
    where,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { STAFF } from './doctor.ts';
import { copyRichSite, prepareRichSite } from './rich-site.ts';
import { DAMAGES } from './damages/damages.ts';
import type { Damage } from './damages/damage.ts';

const AS = ['--fix', '--as', STAFF];

const toFound = ({ finds }: Damage) =>
  Object.entries(finds)
    .map(([check, kinds]) => `${check}: ${kinds.join(', ')}`)
    .join('; ');

/** As the document lists it. */
function toLine(damage: Damage): string {
  const { name, outOfReach, fix = '' } = damage;
  const found = outOfReach === undefined ? toFound(damage) : `out of reach: ${outOfReach}`;
  return `| ${name} | ${found} | ${fix} |`.replace(/\s+/g, ' ');
}

describe.each(['sqlite', 'postgres'] as const)('damage on %s', (kind) => {
  const ends: (() => Promise<void>)[] = [];
  let prepared: Awaited<ReturnType<typeof prepareRichSite>>;
  beforeAll(async () => {
    prepared = await prepareRichSite(kind, (end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  test('is not found on the site that is damaged below', async () => {
    const site = await copyRichSite(prepared, onTestFinished);
    await site.database.close();
    expect(await site.diagnose()).toMatchObject({ code: 0, failed: {} });
  });

  const cases = DAMAGES.filter(({ on = ['sqlite'] }) => on.includes(kind));
  const alone = kind === 'sqlite' ? cases : [];
  test.each(alone)('is found, and fixed or left alone: $name', async ({ plant, finds, fix, left = {} }) => {
    const site = await copyRichSite(prepared, onTestFinished);
    await plant(site);
    await site.database.close();
    if (fix !== undefined) expect((await site.diagnose()).failed).toEqual(finds);
    const { failed, repaired } = await site.diagnose(...AS);
    expect(failed).toEqual(fix === undefined ? finds : left);
    expect(repaired.length > 0).toBe(fix !== undefined);
  });

  // A copy of a PostgreSQL database takes long.
  test.runIf(kind === 'postgres')('is found all at once', async () => {
    const site = await copyRichSite(prepared, onTestFinished);
    const together = cases.filter(({ finds }) => !('database' in finds));
    for (const { plant } of together) await plant(site);
    await site.database.close();
    const { findings, failed } = await site.diagnose();
    const expected: Record<string, string[]> = {};
    for (const { finds } of together)
      for (const [check, kinds] of Object.entries(finds)) (expected[check] ??= []).push(...kinds);
    for (const [check, kinds] of Object.entries(expected))
      expect([check, failed[check]?.toSorted()]).toEqual([check, [...new Set(kinds)].toSorted()]);
    expect(Object.keys(failed).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const name of ['missing', 'changed', 'unexpected']) {
      const { count } = findings.find(({ kind: found }) => found === name) ?? {};
      expect([name, count]).toEqual([name, expected['schema']?.filter((each) => each === name).length]);
    }
  });
});

test('docs/doctor.md lists each damage that is planted', () => {
  const page = readFileSync('docs/doctor.md', 'utf8').split('## Damage')[1]?.split('\n## ')[0] ?? '';
  const lines = page.split('\n').filter((line) => /^\| (?!damage|-)/.test(line));
  const listed = lines.map((line) => line.replace(/\s+/g, ' '));
  expect(listed).toEqual(DAMAGES.map(toLine));
  expect(DAMAGES.length).toBeGreaterThanOrEqual(40);
});

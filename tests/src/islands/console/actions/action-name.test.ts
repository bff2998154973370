import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toActionText } from '#src/islands/console/actions/ActionName.tsx';

/** Recorded for the command line only. */
const RAW = ['doctor fix'];

test('the actions that the server records have Japanese names', async () => {
  const names = new Set<string>();
  for await (const file of glob('server/features/**/*.ts')) {
    const source = readFileSync(file, 'utf8');
    if (!source.includes('recordAction')) continue;
    for (const [, name] of source.matchAll(/(?:action: |(?:ACTION|SAVE|REMOVE) = )'([a-z -]+)'/g))
      names.add(name!);
  }
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => toActionText(name) === null)).toEqual(RAW);
});

test('an unknown action keeps its name', () => {
  expect(toActionText('paint sound')).toBeNull();
  expect(toActionText('report unanswered')).toBe('権利の報告：回答なし');
  expect(toActionText('reject quality check')).toBe('クオリティチェック：却下');
});

import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { listActionNames, toActionText, toRecordTexts } from '#contract/operator/action-texts.ts';

test('the actions that the server records have Japanese names', async () => {
  const names = new Set<string>();
  for await (const file of glob('server/features/**/*.ts')) {
    const source = readFileSync(file, 'utf8');
    if (!source.includes('recordAction')) continue;
    for (const [, name] of source.matchAll(/(?:action: |(?:ACTION|SAVE|REMOVE) = )'([a-z -]+)'/g))
      names.add(name!);
  }
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => toActionText(name) === null)).toEqual([]);
});

test('an unknown action keeps its name', () => {
  expect(toActionText('paint sound')).toBeNull();
  expect(toActionText('report unanswered')).toBe('権利の報告：回答なし');
  expect(toActionText('reject quality check')).toBe('クオリティチェック：却下');
});

test('actions are listed by their kind and by a part of their Japanese text', () => {
  expect(listActionNames({ kind: 'sounds' })).toContain('unhide sound');
  expect(listActionNames({ kind: 'sounds' })).not.toContain('hide report');
  expect(listActionNames({ text: '振込ファイル：作成' })).toEqual(['make bank file']);
  expect(listActionNames({ text: '描く' })).toEqual([]);
});

test('settings of the site are named in Japanese, and reasons stay as they were typed', () => {
  const set = { action: 'set site', subject: 'allow_register', note: 'off' };
  expect(toRecordTexts(set)).toEqual({ subject: '会員登録の受付', note: 'オフ' });
  const hidden = { action: 'hide sound', subject: 'id', note: 'off' };
  expect(toRecordTexts(hidden)).toEqual({ subject: 'id', note: 'off' });
});

import { expect, test } from 'vitest';
import {
  type StaffActionName,
  listActionNames,
  toActionText,
  toRecordTexts,
} from '#contract/operator/action-texts.ts';

test('only actions with a Japanese text can be recorded', () => {
  const recorded: StaffActionName[] = ['expire personal info', 'use recovery code', 'doctor fix'];
  expect(recorded.map(toActionText)).toEqual([
    '本人確認：期限切れ',
    '2段階認証：回復コードの使用',
    'データの点検：修復',
  ]);
  expect(listActionNames({ kind: 'personal-info' })).toContain('expire personal info');
  expect(listActionNames({ kind: 'staff' })).toContain('use recovery code');
  // @ts-expect-error -- an action without a text does not compile
  const unnamed: StaffActionName = 'paint sound';
  expect(toActionText(unnamed)).toBeNull();
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

test.each([
  ['change notices', 'notices', 'add 秋の新刊', '広告', '追加：秋の新刊'],
  ['change notices', 'notices', 'move 1 to 3', '広告', '1番目を3番目へ移動'],
  ['change notices', 'notices', 'remove 2', '広告', '2番目を削除'],
  ['retry mail', 'all', '3', 'すべてのメール', '3通'],
  ['change genre', '7', '雨: {"name":"小雨","position":3}', '7', '雨：名前を小雨に、順番を3に'],
  ['change genre', '7', '雨: {', '7', '雨: {'],
])('%s on %s, noted as %s, is read in Japanese', (action, subject, note, shownSubject, shownNote) => {
  expect(toRecordTexts({ action, subject, note })).toEqual({ subject: shownSubject, note: shownNote });
});

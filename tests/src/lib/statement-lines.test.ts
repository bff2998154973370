import { expect, it } from 'vitest';
import { nameLine, toStatementCsv } from '#src/lib/statement-lines.ts';

const FIGURES = { reward: 12_345, downloads: 411 };

it.each([
  [{ sound_id: 'a', title: '雨' }, '雨'],
  [{ sound_id: 'a', title: '' }, 'Untitled'],
  [{ sound_id: 'a', title: null }, '削除されたサウンド'],
  [{ sound_id: null, title: null }, 'その他（訂正など）'],
])('the line of %j is labelled %s', (line, name) => {
  expect(nameLine({ ...line, ...FIGURES })).toBe(name);
});

it('a statement’s file has one line per sound, and each line has its month', () => {
  const statement = {
    month: '2026-11',
    reward: 12_400,
    downloads: 420,
    sounds: [
      { sound_id: 'a', title: '=1+1', ...FIGURES },
      { sound_id: null, title: null, reward: 55, downloads: 9 },
    ],
  };
  expect(toStatementCsv(statement).split('\r\n')).toEqual([
    '\uFEFF月,サウンドID,サウンド,ダウンロード数,報酬（円）',
    "2026年11月,a,'=1+1,411,12345",
    '2026年11月,,その他（訂正など）,9,55',
    '',
  ]);
});

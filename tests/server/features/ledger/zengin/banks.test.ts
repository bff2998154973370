import { expect, test } from 'vitest';
import { findBranch, findBranchByCode, loadBanks } from '#server/features/ledger/zengin/banks.ts';
import { toZenginText } from '#contract/payouts/zengin-text.ts';

const banks = loadBanks();

test.each([
  ['みずほ銀行', '上野支店', '0001-107'],
  ['みずほ', '上野', '0001-107'],
  ['ミズホギンコウ', 'うえの', '0001-107'],
  ['ﾐｽﾞﾎ銀行', ' 上 野 支店', '0001-107'],
  ['0001', '107', '0001-107'],
  ['三菱UFJ銀行', '新宿支店', '0005-341'],
  ['ゆうちょ銀行', '〇一八', '9900-018'],
  ['ゆうちょ銀行', '〇一八支店', '9900-018'],
  ['ゆうちょ銀行', '０１８店', '9900-018'],
  ['楽天銀行', 'ジャズ支店', '0036-201'],
  ['楽天銀行', 'じゃず', '0036-201'],
])('%s %s is %s', (bank, branch, code) => {
  const found = findBranch(banks, bank, branch);
  expect('problem' in found ? found.problem : `${found.bankCode}-${found.branchCode}`).toBe(code);
});

test.each([
  ['見本銀行', '中央支店', '金融機関「見本銀行」が見つかりません'],
  // A bank and a credit association.
  ['富山', '本店', '金融機関「富山」を一つに決められません（富山信金、富山）'],
  ['富山信用組合', '本店', '金融機関「富山信用組合」が見つかりません'],
  ['みずほ銀行', '存在しない支店', 'みずほに支店「存在しない支店」が見つかりません'],
  ['みずほ銀行', '支店', 'みずほに支店「支店」が見つかりません'],
  ['', '', '金融機関「」が見つかりません'],
])('%s %s is not guessed', (bank, branch, problem) => {
  expect(findBranch(banks, bank, branch)).toEqual({ problem });
});

test('keeps kinds of institutions apart', () => {
  const found = (bank: string) => {
    const branch = findBranch(banks, bank, '本店');
    return 'problem' in branch ? branch.problem : branch.bankCode;
  };
  expect(found('富山信用金庫')).toBe('1401');
  expect(found('富山銀行')).not.toBe('1401');
});

test('finds every branch of the list by its full name, or says that there are several', () => {
  const wrong: string[] = [];
  let found = 0;
  for (const bank of Object.values(banks)) {
    for (const branch of Object.values(bank.branches)) {
      const result = findBranch({ [bank.code]: bank }, bank.code, branch.name);
      if ('problem' in result) {
        if (!result.problem.includes('一つに決められません')) wrong.push(result.problem);
      } else if (result.branchCode !== branch.code) wrong.push(`${bank.name}${branch.name}`);
      else found += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(25_000);
});

test('has readings that a file can contain', () => {
  for (const bank of Object.values(banks)) {
    expect([bank.name, toZenginText(bank.kana)]).not.toEqual([bank.name, null]);
  }
  expect(findBranchByCode(banks, '0001', '107')).toMatchObject({ bankKana: 'ﾐｽﾞﾎ', branchKana: 'ｳｴﾉ' });
  expect(findBranchByCode(banks, '0001', '000')).toBeUndefined();
});

type ConsolePage = readonly [path: string, name: string, title?: string];

/**
 * The pages of the staff, in the groups and the order of their navigation. A name has one or two words, so that all fit
 * into one row of a phone. It is also the title, unless the page has another one.
 */
export const CONSOLE_GROUPS: readonly (readonly [name: string, pages: readonly ConsolePage[]])[] = [
  ['概要', [['/operator', '概要', '運営']]],
  [
    '審査',
    [
      ['/operator/quality-checks', 'クオリティチェック'],
      ['/operator/personal-info', '本人確認'],
      ['/operator/reports', '権利の報告'],
    ],
  ],
  [
    '送金',
    [
      ['/operator/payouts', '送金依頼'],
      ['/operator/credits', '保留中の報酬'],
    ],
  ],
  [
    '検索',
    [
      ['/operator/members', 'メンバー'],
      ['/operator/sounds', 'サウンド'],
    ],
  ],
  [
    'サイト',
    [
      ['/operator/pages', 'ページ'],
      ['/operator/announcements', '告知'],
      ['/operator/notices', '広告'],
      ['/operator/genres', 'ジャンル'],
      ['/operator/site', '設定', 'サイト'],
    ],
  ],
  [
    '管理',
    [
      ['/operator/mails', 'メール'],
      ['/operator/actions', '操作の記録'],
      ['/operator/security', 'セキュリティ'],
    ],
  ],
];

/** Their HTML contains no data. For everyone else they are `/404`. */
export const CONSOLE_PAGES: ReadonlySet<string> = new Set(
  CONSOLE_GROUPS.flatMap(([, pages]) => pages.map(([path]) => path)),
);

import type { LedgerEntriesTable } from '../../platform/database/tables/ledger.ts';

/** The columns of the profile that the member has filled in, by label. */
export const PROFILE_LABELS = [
  ['username', 'ユーザー名'],
  ['name_reading', '名前の読み'],
  ['email', 'メールアドレス'],
  ['name', '氏名'],
  ['furigana', 'ふりがな'],
  ['bio', '自己紹介'],
  ['message_email', 'メッセージの宛先'],
  ['donation_url', '支援のリンク'],
  ['phone_number', '電話番号'],
  ['bank_name', '金融機関名'],
  ['branch_name', '支店名'],
  ['deposit_type', '預金種別'],
  ['account_number', '口座番号'],
] as const;

export const ENTRY_KINDS: Readonly<Record<LedgerEntriesTable['kind'], string>> = {
  reward: '報酬',
  'reward-reversed': '報酬の取り消し',
  'transfer-requested': '送金の依頼',
  'transfer-paid': '送金',
  'transfer-refused': '送金依頼の返金',
  'balance-forfeited': '残高の放棄',
};

export const STATES = {
  '': '未提出',
  requested: '手続き中',
  paid: '送金済み',
  refused: '却下',
  incoming: '受付中',
  pending: '審査中',
  confirmed: '承認',
  approved: '承認',
  rejected: '不承認',
} as const;

export const SUBMISSIONS = {
  personal_info_submissions: '本人確認書類',
  quality_checks: 'クオリティチェック',
} as const;

export const README = (siteName: string) =>
  [
    `${siteName}に保存されている、あなたのデータです。`,
    '',
    '拡張子が .csv のファイルは、Excel、Numbers、Google スプレッドシートなどの表計算ソフトで開けます。',
    'サウンドのファイルは、「サウンド.csv」のページからダウンロードできます。',
    'アーティストへのメッセージの内容は、送信が終わると消えるため、含まれていません。',
    'パスワードと本人確認書類の画像は含まれていません。画像は、審査が終わると削除されます。',
    '',
    'このファイルには、氏名や口座番号が含まれます。ほかの人に渡さないでください。',
    '',
  ].join('\r\n');

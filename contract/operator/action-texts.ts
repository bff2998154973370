import { REPORT_STATES, type ReportState } from '../reports.ts';

/** The record of the staff's actions in Japanese. An action is a verb and an object, such as `hide sound`. */

/** States of reports as the staff reads them. */
export const REPORT_STATE_NAMES: Readonly<Record<ReportState, string>> = {
  unconfirmed: '報告者の確認待ち',
  waiting: '投稿者の回答待ち',
  'waiting-hidden': '投稿者の回答待ち（非公開中）',
  answered: '投稿者が回答',
  'answered-hidden': '投稿者が回答（非公開中）',
  unanswered: '回答なし',
  'unanswered-hidden': '回答なし（非公開中）',
  hidden: '非公開にしました',
  deleted: '削除しました',
  dismissed: '対応しませんでした',
  restored: '非公開を解除しました',
  lapsed: '報告者が確認せず終了',
  gone: 'サウンドが削除されて終了',
};

const VERBS = {
  approve: '承認',
  reject: '却下',
  revoke: '合格の取り消し',
  refuse: '却下',
  pay: '送金済み',
  reverse: '取り消し',
  view: '閲覧',
  park: 'あとに回す',
  unpark: '順番に戻す',
  hide: '非公開',
  unhide: '再公開',
  delete: '削除',
  remove: '削除',
  add: '追加',
  save: '保存',
  set: '変更',
  change: '変更',
  block: '制限',
  unblock: '制限の解除',
  suspend: '停止',
  unsuspend: '停止の解除',
  make: '作成',
  end: '終了',
  retry: '再送',
  drop: '送信の取りやめ',
  'turn on': '有効化',
  'turn off': '無効化',
  reset: '解除',
  dismiss: '対応なし',
  ask: '投稿者への照会',
  restore: '非公開の解除',
  expire: '期限切れ',
} as const satisfies Readonly<Record<string, string>>;

/** What the record can be filtered by. */
export const ACTION_KINDS = [
  'members',
  'sounds',
  'reports',
  'quality-checks',
  'personal-info',
  'credits',
  'transfers',
  'site',
  'staff',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

export const ACTION_KIND_NAMES: Readonly<Record<ActionKind, string>> = {
  members: 'メンバー',
  sounds: 'サウンド',
  reports: '権利の報告',
  'quality-checks': 'クオリティチェック',
  'personal-info': '本人確認',
  credits: '報酬',
  transfers: '送金',
  site: 'サイトの内容',
  staff: '運営とメール',
};

const OBJECTS = {
  'quality check': { text: 'クオリティチェック', kind: 'quality-checks' },
  'personal info': { text: '本人確認', kind: 'personal-info' },
  sound: { text: 'サウンド', kind: 'sounds' },
  member: { text: 'メンバー', kind: 'members' },
  credit: { text: '報酬', kind: 'credits' },
  transfer: { text: '送金依頼', kind: 'transfers' },
  'bank file': { text: '振込ファイル', kind: 'transfers' },
  page: { text: 'ページ', kind: 'site' },
  notices: { text: '広告', kind: 'site' },
  announcement: { text: '告知', kind: 'site' },
  site: { text: 'サイトの設定', kind: 'site' },
  type: { text: '種類', kind: 'site' },
  genre: { text: 'ジャンル', kind: 'site' },
  'sub-genre': { text: 'サブジャンル', kind: 'site' },
  synonyms: { text: '検索の同義語', kind: 'site' },
  report: { text: '権利の報告', kind: 'reports' },
  use: { text: '使用報告', kind: 'reports' },
  mail: { text: 'メール', kind: 'staff' },
  sessions: { text: 'ログイン', kind: 'members' },
  staff: { text: '運営の権限', kind: 'staff' },
  'second factor': { text: '2段階認証', kind: 'staff' },
} as const satisfies Readonly<Record<string, ActionText>>;

interface ActionText {
  readonly text: string;
  readonly kind: ActionKind;
}

/** The names of actions; each has a Japanese text. */
export type StaffActionName =
  | `${keyof typeof VERBS} ${keyof typeof OBJECTS}`
  | `report ${ReportState}`
  | 'doctor fix'
  | 'use recovery code';

/** All actions that this version can name, with what they are about. */
const ACTIONS: ReadonlyMap<string, ActionText> = /* @__PURE__ */ new Map<StaffActionName, ActionText>([
  ...Object.entries(OBJECTS).flatMap(([object, { text, kind }]) =>
    Object.entries(VERBS).map(
      ([verb, done]) => [`${verb} ${object}` as StaffActionName, { text: `${text}：${done}`, kind }] as const,
    ),
  ),
  ...REPORT_STATES.map(
    (state) =>
      [`report ${state}`, { text: `権利の報告：${REPORT_STATE_NAMES[state]}`, kind: 'reports' }] as const,
  ),
  ['doctor fix', { text: 'データの点検：修復', kind: 'staff' }],
  ['use recovery code', { text: '2段階認証：回復コードの使用', kind: 'staff' }],
]);

/** Null for an action that this version does not know. */
export function toActionText(action: string): string | null {
  return ACTIONS.get(action)?.text ?? null;
}

/** Settings of the site, as subjects. */
const SETTINGS: Readonly<Record<string, string>> = {
  maintenance_mode: 'メンテナンス',
  allow_register: '会員登録の受付',
  navbar_logo: 'ヘッダーのロゴ',
  navbar_sp_logo: 'スマートフォンのロゴ',
  footer_logo: 'フッターのロゴ',
  footer_banner: 'フッターのバナー',
};
const SETTING_NOTES: Readonly<Record<string, string>> = { on: 'オン', off: 'オフ', none: '削除' };

const GENRE_FIELDS: Readonly<Record<string, string>> = { name: '名前', position: '順番', icon: 'アイコン' };

interface RecordTexts {
  readonly subject: string;
  readonly note: string;
}

/** What the record has in words of the program. A reason stays as it was typed. */
const TEXTS: readonly (readonly [action: RegExp, toTexts: (record: RecordTexts) => RecordTexts])[] = [
  // Its text says more than its id.
  [/ announcement$/, ({ note }) => ({ subject: note, note: '' })],
  [
    /^set site$/,
    ({ subject, note }) => ({ subject: SETTINGS[subject] ?? subject, note: SETTING_NOTES[note] ?? note }),
  ],
  [/^change notices$/, ({ note }) => ({ subject: '広告', note: toNoticeNote(note) })],
  [
    /^retry mail$/,
    ({ subject, note }) => ({ subject: subject === 'all' ? 'すべてのメール' : subject, note: `${note}通` }),
  ],
  [/^change (?:type|genre|sub-genre)$/, ({ subject, note }) => ({ subject, note: toGenreNote(note) })],
];

/** Subject and note as people read them. */
export function toRecordTexts({ action, subject, note }: RecordTexts & { action: string }): RecordTexts {
  const found = TEXTS.find(([pattern]) => pattern.test(action));
  return found === undefined ? { subject, note } : found[1]({ subject, note });
}

function toNoticeNote(note: string): string {
  return note
    .replace(/^add /, '追加：')
    .replace(/^change /, '変更：')
    .replace(/^move (\d+) to (\d+)$/, '$1番目を$2番目へ移動')
    .replace(/^remove (\d+)$/, '$1番目を削除');
}

/** `雨: {"name":"小雨","position":3}` */
function toGenreNote(note: string): string {
  const [, name = '', values = ''] = /^(.*): (\{.*\})$/s.exec(note) ?? [];
  try {
    const changes = Object.entries(JSON.parse(values) as Record<string, unknown>);
    return `${name}：${changes.map(([field, value]) => `${GENRE_FIELDS[field] ?? field}を${String(value)}に`).join('、')}`;
  } catch {
    return note;
  }
}

/** The names on record of the actions of a kind, and of those whose Japanese text contains a text. */
export function listActionNames({ kind, text }: { kind?: ActionKind; text?: string }): string[] {
  return [...ACTIONS]
    .filter(([, action]) => (kind === undefined || action.kind === kind) && action.text.includes(text ?? ''))
    .map(([name]) => name);
}

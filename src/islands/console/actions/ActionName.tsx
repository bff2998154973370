import { type ReportState, REPORT_STATES } from '../../../../contract/reports.ts';
import { STATE_NAMES } from '../reports/report-texts.ts';

const VERBS: readonly (readonly [string, string])[] = [
  ['approve', '承認'],
  ['reject', '却下'],
  ['revoke', '合格の取り消し'],
  ['refuse', '却下'],
  ['pay', '送金済み'],
  ['reverse', '取り消し'],
  ['view', '閲覧'],
  ['park', 'あとに回す'],
  ['unpark', '順番に戻す'],
  ['hide', '非公開'],
  ['unhide', '再公開'],
  ['delete', '削除'],
  ['remove', '削除'],
  ['add', '追加'],
  ['save', '保存'],
  ['set', '変更'],
  ['change', '変更'],
  ['block', '制限'],
  ['unblock', '制限の解除'],
  ['suspend', '停止'],
  ['unsuspend', '停止の解除'],
  ['make', '作成'],
  ['end', '終了'],
  ['retry', '再送'],
  ['turn on', '有効化'],
  ['turn off', '無効化'],
  ['reset', '解除'],
  ['dismiss', '対応なし'],
  ['ask', '投稿者への照会'],
  ['restore', '非公開の解除'],
];
const OBJECTS: Readonly<Record<string, string>> = {
  'quality check': 'クオリティチェック',
  'personal info': '本人確認',
  sound: 'サウンド',
  member: 'メンバー',
  credit: '報酬',
  transfer: '送金依頼',
  'bank file': '振込ファイル',
  page: 'ページ',
  notices: 'お知らせ',
  site: 'サイトの設定',
  type: '種類',
  genre: 'ジャンル',
  'sub-genre': 'サブジャンル',
  synonyms: '検索の同義語',
  report: '権利の報告',
  mail: 'メール',
  sessions: 'ログイン',
  staff: '運営の権限',
  'second factor': '2段階認証',
};

/** An action in Japanese, with its name on the record, which the command line and the search use. */
export function ActionName({ action }: { action: string }) {
  const text = toActionText(action);
  return (
    <>
      {text !== null && <span className="block">{text}</span>}
      <span lang="en" className={text === null ? undefined : 'block text-xs text-muted'}>
        {action}
      </span>
    </>
  );
}

/** Null for an action that this client does not know. */
export function toActionText(action: string): string | null {
  const state = action.replace(/^report /, '');
  if (isReportState(state)) return `権利の報告：${STATE_NAMES[state]}`;
  for (const [verb, text] of VERBS) {
    const object = action.startsWith(`${verb} `) ? OBJECTS[action.slice(verb.length + 1)] : undefined;
    if (object !== undefined) return `${object}：${text}`;
  }
  return null;
}

function isReportState(text: string): text is ReportState {
  return (REPORT_STATES as readonly string[]).includes(text);
}

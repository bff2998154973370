import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { ReportState } from '../../../contract/reports.ts';
import type { StaffAction } from './machine.ts';
import type { Report } from './queries.ts';

/** What visitors see of the sound after an event; `other-reason`: something else than this report keeps it hidden. */
export type SoundVisibility = 'unchanged' | 'public' | 'private' | 'other-reason';

/** The title and first paragraphs of a mail about a decision. */
interface DecisionText {
  readonly title: string;
  readonly lines: readonly string[];
}

export function toReporterDecision(action: Exclude<StaffAction, 'ask'>, state: ReportState): DecisionText {
  if (action === 'delete') {
    return {
      title: '報告されたサウンドを削除しました',
      lines: ['運営者が、報告されたサウンドを削除しました。'],
    };
  }
  if (action === 'dismiss') {
    return {
      title: 'ご報告の確認を終えました',
      lines: ['運営者が確認し、この報告には対応が要らないと判断しました。'],
    };
  }
  if (action === 'restore') {
    const isOver = state === 'restored';
    return {
      title: '報告による非公開を解除しました',
      lines: [
        isOver
          ? '運営者が判断を改め、報告による非公開を解除しました。'
          : '運営者が、報告による非公開を解除しました。報告の確認は続けています。',
      ],
    };
  }
  return {
    title: '報告されたサウンドを非公開にしました',
    lines: [
      state === 'hidden'
        ? '運営者が、報告されたサウンドを非公開にしました。'
        : '運営者が、確認が終わるまで、報告されたサウンドを非公開にしました。投稿者の回答を待って判断します。',
    ],
  };
}

export function toArtistDecision(
  action: Exclude<StaffAction, 'ask'>,
  { state, due_at }: Pick<Report, 'state' | 'due_at'>,
  sound: SoundVisibility,
): DecisionText {
  if (action === 'delete') {
    return {
      title: 'サウンドを削除しました',
      lines: [
        '運営者が、報告を確認し、次のサウンドを削除しました。元に戻すことはできません。これまでの報酬の記録は残ります。',
      ],
    };
  }
  if (action === 'dismiss') {
    return {
      title: '報告の確認を終えました',
      lines: ['運営者が確認し、次の報告には対応が要らないと判断しました。', ...toVisibilityLines(sound)],
    };
  }
  if (action === 'restore') {
    const waits = due_at === null ? [] : [`報告の確認は続けています。${toDue(due_at)}`];
    return {
      title: 'サウンドの非公開を解除しました',
      lines: [
        '運営者が、報告による次のサウンドの非公開を解除しました。',
        ...toVisibilityLines(sound),
        ...waits,
      ],
    };
  }
  const lines = [
    state === 'hidden'
      ? '運営者が、報告を確認し、次のサウンドを非公開にしました。ほかの方には表示されず、再生もダウンロードもできません。'
      : '運営者が、報告の確認が終わるまで、次のサウンドを非公開にしました。ほかの方には表示されず、再生もダウンロードもできません。',
    'サウンドは削除されていません。プロフィールで、引き続きご自身で再生・編集・削除できます。',
  ];
  return {
    title: 'サウンドを非公開にしました',
    lines: due_at === null ? lines : [...lines, toDue(due_at)],
  };
}

function toDue(dueMs: number): string {
  return `回答の期限: ${formatDateTime(dueMs)}（日本時間）`;
}

function toVisibilityLines(sound: SoundVisibility): string[] {
  if (sound === 'unchanged') return [];
  if (sound === 'other-reason') return ['このサウンドは、ほかの理由により引き続き非公開です。'];
  return [`現在のステータス: ${sound === 'public' ? '公開' : '非公開'}`];
}

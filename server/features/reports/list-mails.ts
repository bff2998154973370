import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Part, Sender } from '../mail/layout.ts';
import type { ReportEvent } from './machine.ts';
import { toDate, toFacts } from './mails.ts';
import type { Artist, ReportSender } from './mails.ts';
import type { Report } from './queries.ts';

/** What is mailed once, whatever the number of reports. */
export type ListEvent = Extract<ReportEvent, 'tell' | 'answer' | 'expire'> | 'hold';

/** More reports are only counted. */
const LISTED_MAX = 20;

/** To the artist of all these reports. */
export function toArtistListMail(
  sender: Sender,
  event: 'tell' | 'expire',
  reports: readonly Report[],
  { username, email }: Artist,
): Mail {
  const count = toCount(reports);
  const page = `${sender.siteUrl}/profile/reports`;
  const write = (title: string, ...parts: readonly Part[]) =>
    toMail(sender, email, title, [`${username} さん`, ...parts]);
  if (event === 'tell') {
    return write(
      `サウンドについて報告が${count}届きました`,
      `あなたのサウンドについて、報告が${count}届きました。運営者が内容を確認します。事実と違うときや、事情があるときは、期限までに回答してください。`,
      ...toList(reports),
      `回答の期限: ${toDate(reports[0]?.due_at ?? null)}`,
      '期限までに回答がないときは、運営者が報告の内容から判断します。期限が過ぎただけで、サウンドが非公開になったり、削除されたりすることはありません。',
      {
        label:
          '報告の内容の確認と回答は、次のページでできます。複数の報告に、まとめて回答することもできます。',
        url: page,
      },
    );
  }
  return write(
    `報告${count}への回答の期限が過ぎました`,
    '次の報告への回答の期限が過ぎました。運営者が判断します。判断の前であれば、まだ回答できます。',
    ...toList(reports),
    { label: '報告の内容は、次のページで確認できます。', url: page },
  );
}

const STAFF_TEXTS: Readonly<Record<ListEvent, readonly [title: string, line: string]>> = {
  tell: ['サウンドの報告が届きました', '投稿者に知らせ、回答を求めました。'],
  hold: [
    'サウンドの報告を保留しています',
    'この投稿者への報告が多いため、投稿者にはまだ知らせていません。知らせるかどうかを判断してください。この投稿者への報告が続いても、保留のものがあるあいだは、このメールを送りません。',
  ],
  answer: ['報告に投稿者が回答しました', '判断してください。'],
  expire: ['報告への回答の期限が過ぎました', '投稿者の回答はありません。判断してください。'],
};

/** Notifies the staff of work that waits for them. Unconfirmed reports are only listed. */
export function toStaffMail(sender: ReportSender, event: ListEvent, reports: readonly Report[]): Mail {
  const [title, line] = STAFF_TEXTS[event];
  const [only, another] = reports;
  const desk = `${sender.siteUrl}/operator/reports`;
  const links: Part[] =
    only === undefined || another !== undefined
      ? [{ label: '報告を確認する', url: desk }]
      : [
          { label: '報告を確認する', url: `${desk}?id=${only.id}` },
          { label: '報告されたサウンド', url: `${sender.siteUrl}/sounds/${only.sound_id}` },
        ];
  return toMail(sender, sender.operatorEmail, title, [
    line,
    ...toList(reports),
    ...(event === 'tell' ? [`投稿者の回答の期限: ${toDate(only?.due_at ?? null)}`] : []),
    ...links,
  ]);
}

function toCount({ length }: readonly Report[]): string {
  return length === 1 ? '' : `${length}件`;
}

function toList(reports: readonly Report[]): string[] {
  const more = reports.length - LISTED_MAX;
  return [...reports.slice(0, LISTED_MAX).map(toFacts), ...(more > 0 ? [`ほかに${more}件あります。`] : [])];
}

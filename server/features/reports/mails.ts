import { formatDateTime } from '../../../contract/values/date-times.ts';
import { REASON_LABELS } from '../../../contract/reports.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Part, Sender } from '../mail/layout.ts';
import { toArtistDecision, toReporterDecision } from './decision-mails.ts';
import type { SoundVisibility } from './decision-mails.ts';
import type { ReportEvent } from './machine.ts';
import type { Report } from './queries.ts';

export interface ReportSender extends Sender {
  readonly operatorEmail: string;
}

export interface DecisionDetails {
  readonly reason: string;
  readonly sound: SoundVisibility;
}

export interface Artist {
  readonly username: string;
  readonly email: string;
}

/**
 * The receipt goes to an address that anyone can have entered, so it repeats nothing that the reporter or the artist
 * wrote.
 */
export function toReceiptMail(sender: Sender, report: ReceivedReport, token: string): Mail {
  return toMail(sender, report.email, 'ご報告の確認', [
    `${sender.siteName}のサウンドについてのご報告を受け付けました。まだ確定していません。`,
    {
      label:
        '次のリンクを開いて内容を確かめ、「報告を確定する」を押してください。確定すると、投稿者に報告を知らせ、回答を求めます。',
      url: `${sender.siteUrl}/report#${new URLSearchParams({ token }).toString()}`,
    },
    [
      `受付番号: ${report.id}`,
      `受付日時: ${toDate(report.created_at)}`,
      `確定の期限: ${toDate(report.due_at)}`,
    ].join('\n'),
    '確定した後も、同じリンクから状況を確認できます。リンクは、ほかの方に教えないでください。',
    'このメールに心当たりがない場合は、リンクを開かずに破棄してください。報告は確定せず、投稿者には伝わりません。',
  ]);
}

export interface ReceivedReport {
  readonly id: string;
  readonly email: string;
  readonly created_at: number;
  readonly due_at: number;
}

/** To a reporter whose open report of the same sound is confirmed. */
export function toAlreadyReportedMail(
  sender: Sender,
  email: string,
  open: { readonly id: string; readonly created_at: number },
): Mail {
  return toMail(sender, email, 'ご報告は受付済みです', [
    'このメールアドレスから、同じサウンドについて報告がありましたが、以前のご報告をまだ確認しています。新しい報告は受け付けていません。',
    `受付番号: ${open.id}\n受付日時: ${toDate(open.created_at)}`,
    '状況は、受付のときにお送りしたメールのリンクから確認できます。',
    {
      label: '付け加えたいことがある場合は、受付番号を添えて、お問い合わせからお知らせください。',
      url: `${sender.siteUrl}/contact`,
    },
  ]);
}

/**
 * The mails about an event of one report, to those who have to know. A reporter without a confirmed address gets none;
 * mails about several reports are in list-mails.ts.
 */
export function toEventMails(
  sender: Sender,
  event: ReportEvent,
  report: Report,
  artist: Artist | undefined,
  details: DecisionDetails,
): Mail[] {
  const toReporter = toReporterMail(sender, event, report, details);
  const toArtist = artist && toArtistMail(sender, event, report, artist, details);
  return [report.is_confirmed === 1 ? toReporter : undefined, toArtist].filter((mail) => mail !== undefined);
}

/** To a reporter whose artist is not notified at once: the mail is the same for a queued and for a held report. */
export function toConfirmedMail(sender: Sender, report: Report): Mail {
  return toMail(sender, report.email, 'ご報告を確定しました', [
    'ご報告を確定しました。運営者が内容を確認します。投稿者に知らせて回答を求めたときは、メールでお知らせします。',
    toFacts(report),
    '状況は、受付のときにお送りしたメールのリンクから確認できます。',
  ]);
}

function toReporterMail(
  sender: Sender,
  event: ReportEvent,
  report: Report,
  { reason }: DecisionDetails,
): Mail | undefined {
  const write = (title: string, ...lines: readonly Part[]) =>
    toMail(sender, report.email, title, [
      ...lines,
      toFacts(report),
      '状況は、受付のときにお送りしたメールのリンクから確認できます。',
    ]);
  if (event === 'confirm' || event === 'ask') return undefined;
  if (event === 'tell') {
    return write(
      'ご報告を投稿者に知らせました',
      '確定されたご報告を投稿者に知らせ、回答を求めました。投稿者の回答を待って、運営者が判断します。',
      `投稿者の回答の期限: ${toDate(report.due_at)}`,
    );
  }
  if (event === 'answer') {
    return write('投稿者が回答しました', '投稿者から回答がありました。運営者が内容を確認して判断します。');
  }
  if (event === 'gone') {
    return write(
      '報告されたサウンドは削除されました',
      '報告されたサウンドが削除されたため、確認を終えました。',
    );
  }
  if (event === 'expire') {
    if (report.state === 'lapsed') return undefined;
    return write(
      '投稿者の回答の期限が過ぎました',
      '期限までに投稿者から回答がありませんでした。運営者が、ご報告の内容から判断します。',
    );
  }
  const { title, lines } = toReporterDecision(event, report.state);
  return write(title, ...lines, toReason(report, reason));
}

function toArtistMail(
  sender: Sender,
  event: ReportEvent,
  report: Report,
  { username, email }: Artist,
  { reason, sound }: DecisionDetails,
): Mail | undefined {
  const write = (title: string, ...lines: readonly Part[]) =>
    toMail(sender, email, title, [`${username} さん`, ...lines]);
  if (event !== 'hide' && event !== 'restore' && event !== 'delete' && event !== 'dismiss') return undefined;
  // Only a notified artist gets these.
  const isNotified = report.is_confirmed === 1 && report.asking === 'asked';
  if (event === 'dismiss' && !isNotified) return undefined;
  const onProfile = {
    label: '報告の内容は、プロフィールで確認できます。',
    url: `${sender.siteUrl}/profile#reports`,
  };
  const { title, lines } = toArtistDecision(event, report, sound);
  const contact = {
    label: 'ご質問やご意見は、お問い合わせからお寄せください。',
    url: `${sender.siteUrl}/contact`,
  };
  const links = isNotified ? [onProfile, contact] : [contact];
  return write(title, ...lines, toFacts(report), toReason(report, reason), ...links);
}

/** The reason and time of a decision, which is the last change. */
function toReason({ updated_at }: Report, reason: string): string {
  return `理由: ${reason}\n日時: ${toDate(updated_at)}`;
}

/** Without texts of the reporter: they would look like ours. */
export function toFacts(report: Report): string {
  return [
    `サウンド: ${report.sound_title || UNTITLED}`,
    `報告の理由: ${REASON_LABELS[report.reason]}`,
    `受付番号: ${report.id}`,
    `受付日時: ${toDate(report.created_at)}`,
  ].join('\n');
}

export function toDate(timeMs: number | null): string {
  return timeMs === null ? 'なし' : `${formatDateTime(timeMs)}（日本時間）`;
}

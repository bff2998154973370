import { ContactSchema } from '../../../../contract/contact.ts';
import {
  TransferAcceptedSchema,
  TransferPageSchema,
  TransferSchema,
  requestTransfer,
} from '../../../../contract/finance.ts';
import { sendMessage } from '../../../../contract/messages.ts';
import {
  OwnReportSchema,
  ReportEventSchema,
  ReportSchema,
  ReporterViewSchema,
  answerReport,
  answerReports,
  viewReport,
} from '../../../../contract/reports.ts';
import {
  AUDIENCES,
  AnnouncementSchema,
  ContentPageSchema,
  ExtraPageSchema,
  LicenceSchema,
  SiteConfigSchema,
} from '../../../../contract/site.ts';
import { DEFAULT_LICENCE } from '../../../../contract/licence.ts';
import { LICENCE_USES } from '../../../../contract/sound-facts.ts';
import { StatementLineSchema, StatementSchema } from '../../../../contract/statements.ts';
import { body, email, flag, integer, list, month, part, picture, reply, text, time } from '../field.ts';

const amount = integer('金額（円）', 4_000);
const reward = integer('報酬（円）', 120, { minimum: undefined });
const downloads = integer('報酬の対象になったダウンロードの数', 12, { minimum: undefined });
const relation = text('報告した人と権利との関係。空のことがある', '著作権者本人');
const explanation = text('説明', '2020年に私が公開した曲と同じです。');

const REPORT = {
  id: text('報告のid', 'LpsJY7vlJfVt8nKa'),
  sound: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
  sound_title: text('サウンドのタイトル', '雨上がりの朝'),
  reason: text('理由', 'copyright'),
  explanation,
  state: text('報告の状態', 'waiting'),
  due_at: time('いまの期限。ないときは null', '2026-11-27T14:59:59.999Z'),
  history: part('これまでの出来事。古い順'),
};

/** The site, messages to people, reports and payouts. */
export const SITE_COMPONENTS = {
  SiteConfig: reply('サイトの設定', SiteConfigSchema, {
    navbar_logo: picture('上のバーのロゴ'),
    navbar_sp_logo: picture('上のバーのロゴ（スマートフォン）'),
    footer_logo: picture('フッターのロゴ'),
    footer_banner: picture('フッターのバナー'),
    maintenance_mode: flag('メンテナンス中かどうか', false),
    allow_register: flag('会員登録を受け付けているかどうか'),
    licence: part('利用条件がすべてのサウンドに認めること。運営者が決めていないときは送らない'),
    licence_uses: list('アーティストが追加で認められる用途', ['venues', 'broadcast', 'songs'], {
      enum: LICENCE_USES,
    }),
    announcements: part('いま表示する告知。新しい順に3件まで'),
    is_extended: flag('このホストが拡張を受け付けるかどうか'),
  }),
  SiteLicence: reply('利用条件がすべてのサウンドに認めること', LicenceSchema, {
    line: text('利用条件の一行。会員規約にも同じ文がある', DEFAULT_LICENCE.line),
    uses: list('認める用途', DEFAULT_LICENCE.uses, { enum: LICENCE_USES }),
  }),
  Announcement: reply('サイトの告知', AnnouncementSchema, {
    id: text('告知のid', 'q0bEYyVQk3vHcS1d'),
    version: integer('文章が変わると増える版', 1_795_000_000_000),
    text: text('文章', '11月30日の2時から4時まで、サーバーの点検をします。'),
    link: text('このサイトのページのパスか、httpsのURL。ないときは null', '/content/maintenance'),
    audience: text('表示する相手。members はログインしている人', 'everyone', { enum: AUDIENCES }),
  }),
  ExtraPage: reply('フッターに出るページ', ExtraPageSchema, {
    slug: text('ページの名前', 'about'),
    title: text('題', 'このサイトについて'),
    order: integer('並ぶ順', 3, { minimum: undefined }),
  }),
  ContentPage: reply('ページの本文', ContentPageSchema, {
    id: text('ページのid', 'about'),
    slug: text('ページの名前', 'about'),
    title: text('題', 'このサイトについて'),
    body: text('本文（Markdown）', '# このサイトについて'),
  }),
  Message: body('アーティストへのメッセージ', sendMessage.body, {
    artist_username: text('アーティストのユーザー名', 'kazami'),
    text: text('本文（10,000文字まで）', '曲を動画で使いました。'),
    recipient_email: text('アーティストのプロフィールの message_email', '•••@…'),
    share_email: flag('自分のメールアドレスを伝えて、返信を希望するかどうか', false),
  }),
  Contact: body('お問い合わせ', ContactSchema, {
    name: text('お名前', '見本 花子'),
    email: email('返信先のメールアドレス'),
    message: text('内容（10,000文字まで）', '使い方について教えてください。'),
  }),
  Report: body('サウンドの報告', ReportSchema, {
    reason: text('理由', 'copyright'),
    name: text('お名前', '権利 花子'),
    email: email('メールアドレス'),
    explanation,
    relation,
    is_truthful: flag('内容が事実であることの確認'),
    shares_name: flag('お名前をアーティストに伝えてよいかどうか', false),
  }),
  ReportToken: body('報告のメールのリンク', viewReport.body, {
    token: text('メールのリンクに含まれる値', 'h2WbTcbSdvEqEbfmRS0obg'),
  }),
  ReporterView: reply('報告した人が見る報告', ReporterViewSchema, {
    ...REPORT,
    name: text('報告した人のお名前', '権利 花子'),
    relation,
    shares_name: flag('お名前をアーティストに伝えるかどうか', false),
    can_confirm: flag('メールアドレスの確認を待っているかどうか', false),
  }),
  OwnReport: reply('自分のサウンドへの報告', OwnReportSchema, {
    ...REPORT,
    reporter_name: text('報告した人のお名前。伝えてよいとした場合だけで、ほかは空', '権利 花子'),
    answer: text('自分の回答。回答するまでは空', '自作です。'),
    can_answer: flag('いま回答できるかどうか'),
  }),
  ReportEvent: reply('報告の出来事', ReportEventSchema, {
    event: text('出来事', 'confirm'),
    state: text('出来事のあとの状態', 'waiting'),
    at: time('日時'),
    reason: text('運営の理由。ほかの出来事では空', ''),
  }),
  ReportAnswer: body('報告への回答', answerReport.body, {
    text: text('回答（2,000文字まで）', '自作です。'),
  }),
  ReportAnswers: body('複数の報告への回答', answerReports.body, {
    ids: list('報告のid', ['LpsJY7vlJfVt8nKa']),
    text: text('回答（2,000文字まで）', '自作です。'),
  }),
  TransferRequest: body('送金の依頼', requestTransfer.body, { email: email('自分のメールアドレス') }),
  TransferAccepted: reply('受け付けた送金の依頼', TransferAcceptedSchema, {
    detail: text('結果を示す文', '送金依頼を受け付けました。'),
    amount,
    requested_at: time('依頼した日時'),
  }),
  Transfer: reply('送金の依頼', TransferSchema, {
    id: text('依頼のid', 'updKBHgPlZSEyOEj'),
    amount,
    state: text('requested は手続き中、paid は送金済み、refused は送金しなかったもの', 'paid'),
    requested_at: time('依頼した日時'),
    decided_at: time('手続きが済んだ日時。それまでは送らない'),
    reason: text('送金しなかった理由。そのときだけ送る', '口座が見つかりませんでした。'),
  }),
  TransferPage: reply('送金の履歴の1ページ', TransferPageSchema, {
    results: part('このページの依頼'),
    next: integer('次のページ番号。最後のページでは null', 2, { minimum: 2 }),
  }),
  Statement: reply('1か月の報酬の明細', StatementSchema, {
    month: month('月'),
    reward,
    downloads,
    sounds: part('サウンドごとの内訳'),
  }),
  StatementLine: reply('サウンドごとの報酬', StatementLineSchema, {
    sound_id: text('サウンドのid。1つのサウンドについてでないときは null', 'ZtKD74yLHGTP7uU0'),
    title: text('いまのタイトル。削除されたサウンドでは null', '雨上がりの朝'),
    reward,
    downloads,
  }),
};

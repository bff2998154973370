import {
  OwnReportSchema,
  ReportEventSchema,
  ReportSchema,
  ReporterViewSchema,
  answerReport,
  answerReports,
  viewReport,
} from '../../../contract/reports.ts';
import { CAUSES, FROM_MAIL, SOUND_ID } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, email, flag, list, part, reply, text, time } from '../api-docs/field.ts';

const NO_REPORT = 'リンクに当てはまる報告がない';
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

/** Reports of sounds. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'reports', title: '権利侵害などの報告', position: 7 },
  calls: {
    'POST /api/sounds/{id}/reports/': {
      id: 'submitReport',
      summary: 'サウンドを報告する',
      description:
        '届いた確認メールのリンクを開くまで、報告は受け付けられません。copyright と likeness では relation と is_truthful が必要です。',
      refusals: { 400: CAUSES.wrongField, 404: 'このidの公開中のサウンドはない' },
      isExtension: true,
      fields: SOUND_ID,
    },
    'POST /api/reports/view/': {
      id: 'viewReport',
      summary: '自分がした報告を見る',
      description: FROM_MAIL,
      refusals: { 400: NO_REPORT },
      isExtension: true,
    },
    'POST /api/reports/confirm/': {
      id: 'confirmReport',
      summary: '報告者のメールアドレスを確認する',
      description: FROM_MAIL,
      refusals: { 400: NO_REPORT, 409: '確認を待っている報告ではないか、同じ人がすでに報告している' },
      isExtension: true,
    },
    'GET /api/account/reports/': {
      id: 'listOwnReports',
      summary: '自分のサウンドへの報告',
      isExtension: true,
    },
    'POST /api/account/reports/{id}/answer/': {
      id: 'answerReport',
      summary: '報告に回答する',
      description: '回答は1回だけです。',
      refusals: {
        400: '本文が空か、長すぎる',
        404: '自分のサウンドへの、このidの報告はない',
        409: 'すでに回答したか、判断されている',
      },
      isExtension: true,
      fields: { id: text('報告のid', 'LpsJY7vlJfVt8nKa') },
    },
    'POST /api/account/report-answers/': {
      id: 'answerReports',
      summary: '複数の報告に同じ回答をする',
      description:
        '回答は、それぞれの報告に1回だけです。すでに回答した報告と判断の終わった報告は、そのまま返します。',
      refusals: {
        400: '報告を選んでいない。または本文が空か、長すぎる',
        404: '自分のサウンドへの報告ではないものがある',
        409: 'すべて、すでに回答したか、判断されている',
      },
      isExtension: true,
    },
  },
  components: {
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
  },
};

import { USES_PER_CERTIFICATE_MAX, USES_SHOWN_MAX, USE_STATES } from '../../../../contract/uses.ts';
import { CAUSES, ID_EXAMPLE } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { choice, text } from '../field.ts';

/** Works in which sounds were used, by method and path. */
export const USES_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/certificates/{id}/uses/': {
    id: 'tellUse',
    summary: 'サウンドを使った作品をアーティストに知らせる',
    description: `ログインはいりません。1つの利用証明書で${USES_PER_CERTIFICATE_MAX}件までです。アーティストが確認するまで公開されません。`,
    refusals: {
      400: CAUSES.wrongField,
      404: 'このidの利用証明書はない',
      409: 'サウンドが公開中でないか、同じURLを報告済みか、件数の上限に達している',
    },
    isExtension: true,
    fields: { id: text('利用証明書のid', '31khTIafxkf2Nhnme9qMjw') },
  },
  'GET /api/uses/': {
    id: 'listUses',
    summary: 'サウンドやアーティストの使用作品',
    description: `アーティストが確認したものを、新しい順に${USES_SHOWN_MAX}件まで返します。sound か artist を指定します。両方なら sound の使用作品です。`,
    refusals: { 400: CAUSES.wrongQuery },
    isExtension: true,
    fields: {
      sound: text('サウンドのid', ID_EXAMPLE),
      artist: text('アーティストのユーザー名', 'kazami'),
    },
  },
  'GET /api/account/uses/': {
    id: 'listOwnUses',
    summary: '自分のサウンドの使用報告',
    description: '1つの状態のものを、新しい順に返します。',
    refusals: { 400: CAUSES.wrongQuery },
    isExtension: true,
    fields: {
      state: choice('状態', USE_STATES),
      cursor: text('前のページの next', '1764000000000-LpsJY7vlJfVt8nKa'),
    },
  },
  'POST /api/account/use-decisions/': {
    id: 'decideUses',
    summary: '使用報告を公開する、非表示にする、運営に報告する',
    description: '運営に報告したものは、運営が判断するまで変わりません。',
    refusals: {
      400: CAUSES.wrongField,
      404: '自分のサウンドの使用報告ではないものがある',
      409: 'すべて、すでにその状態か、運営に報告している',
    },
    isExtension: true,
  },
  'POST /api/account/use-mails/': {
    id: 'setUseMails',
    summary: '使用報告の週1回のメールを受け取るかどうか',
    refusals: { 400: CAUSES.wrongField },
    isExtension: true,
  },
};

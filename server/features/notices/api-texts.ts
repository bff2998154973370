import { NEXT_NOTICE_PATH, NextNoticeSchema, NoticeSchema } from '../../../contract/downloads/ads.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { number, part, reply, text } from '../api-docs/field.ts';

/** The notices before downloads. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'notices', title: '広告', position: 16 },
  calls: {
    'GET /notice/next': {
      id: 'getNextNotice',
      summary: '次に表示する広告',
      description: '広告がないときは、notice が null です。',
      isExtension: true,
    },
  },
  components: {
    Notice: reply('運営の広告', NoticeSchema, {
      id: text('広告のid', 'spring-sale'),
      kind: text('画像か動画か', 'picture'),
      url: text('画像か動画のアドレス', '/notice/files/spring-sale.webp', { format: 'uri-reference' }),
      text: text('見えない人のための説明', '春のサウンド特集のお知らせ'),
      captions: text('動画の字幕（WebVTT）のアドレス。ないときは null', '/notice/files/spring-sale.vtt', {
        format: 'uri-reference',
      }),
      link: text('押したときに開くアドレス。ないときは null', 'https://example.test/spring', {
        format: 'uri',
      }),
      seconds: number('見る時間（秒）', 15),
    }),
    NextNotice: reply('次に表示する広告', NextNoticeSchema, {
      notice: part('広告。ないときは null'),
    }),
  },
  callsWithoutRule: [
    {
      method: 'GET',
      path: NEXT_NOTICE_PATH,
      caller: 'anyone',
      reply: NextNoticeSchema,
      limits: [],
    },
  ],
};

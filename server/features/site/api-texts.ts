import { DEFAULT_LICENCE } from '../../../contract/downloads/licence.ts';
import {
  AUDIENCES,
  AnnouncementSchema,
  ContentPageSchema,
  ExtraPageSchema,
  LicenceSchema,
  SiteConfigSchema,
} from '../../../contract/site/site.ts';
import { LICENCE_USES } from '../../../contract/sounds/sound-facts.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { flag, integer, list, part, picture, reply, text } from '../api-docs/field.ts';

/** The site’s settings and its pages. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'site', title: 'サイト', position: 15 },
  calls: {
    'GET /api/site-config': { id: 'getSiteConfig', summary: 'サイトの設定と、このホストの拡張' },
    'GET /api/page/': { id: 'listPages', summary: 'フッターに出るページの一覧' },
    'GET /api/page/{slug}/': {
      id: 'getPage',
      summary: '1つのページの本文（Markdown）',
      refusals: { 404: 'この名前のページはない' },
      isExtension: true,
      fields: { slug: text('ページの名前', 'about') },
    },
  },
  components: {
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
  },
};

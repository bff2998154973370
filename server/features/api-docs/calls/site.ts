import type { CallText } from './call-text.ts';
import { text } from '../field.ts';

/** The site, its notices and this document, by method and path. */
export const SITE_CALLS: Readonly<Record<string, CallText>> = {
  'GET /api/site-config': { id: 'getSiteConfig', summary: 'サイトの設定と、このホストの拡張' },
  'GET /api/page/': { id: 'listPages', summary: 'フッターに出るページの一覧' },
  'GET /api/page/{slug}/': {
    id: 'getPage',
    summary: '1つのページの本文（Markdown）',
    refusals: { 404: 'この名前のページはない' },
    isExtension: true,
    fields: { slug: text('ページの名前', 'about') },
  },
  'GET /notice/next': {
    id: 'getNextNotice',
    summary: '次に表示する広告',
    description: '広告がないときは、notice が null です。',
    isExtension: true,
  },
  'GET /api/openapi.json': { id: 'getOpenApi', summary: 'APIの説明（OpenAPI 3.1）', isExtension: true },
  'GET /api/docs': { id: 'getDocs', summary: 'APIの説明（このページ）', isExtension: true },
  'GET /api/docs/{file}': {
    id: 'getDocsFile',
    summary: 'APIの説明のページが読むファイル',
    refusals: { 404: 'この名前のファイルはない' },
    isExtension: true,
    fields: { file: text('ページに書かれた名前', 'start.Zk3cUeWwV0dL.js') },
  },
};

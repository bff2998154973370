import { DoneSchema } from '../../../contract/calls/wire.ts';
import type { ApiTexts } from './call-text.ts';
import { reply, text } from './field.ts';

const TEXT = { type: 'string' };
const NOT_MODIFIED = { description: '変更なし（If-None-Match）' };

/** The document itself, and the reply that calls of several features give. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'api-docs', title: 'この文書', position: 17 },
  calls: {
    'GET /api/openapi.json': {
      id: 'getOpenApi',
      summary: 'APIの説明（OpenAPI 3.1）',
      isExtension: true,
      raw: {
        responses: {
          200: {
            description: 'OpenAPI 3.1',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          304: NOT_MODIFIED,
        },
      },
    },
    'GET /api/docs': {
      id: 'getDocs',
      summary: 'APIの説明（このページ）',
      isExtension: true,
      raw: {
        responses: {
          200: {
            description: 'HTML',
            content: { 'text/html': { schema: TEXT } },
          },
          304: NOT_MODIFIED,
        },
      },
    },
    'GET /api/docs/{file}': {
      id: 'getDocsFile',
      summary: 'APIの説明のページが読むファイル',
      refusals: { 404: 'この名前のファイルはない' },
      isExtension: true,
      fields: { file: text('ページに書かれた名前', 'start.Zk3cUeWwV0dL.js') },
      raw: {
        responses: {
          200: {
            description: 'スクリプト、またはスタイルシート',
            content: { 'text/javascript': { schema: TEXT }, 'text/css': { schema: TEXT } },
          },
          304: NOT_MODIFIED,
        },
      },
    },
  },
  components: {
    Done: reply('変更が済んだことを示す文', DoneSchema, {
      detail: text('結果を示す文', 'ログアウトしました。'),
    }),
  },
};

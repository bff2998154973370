import { RESUMABLE_BYTES_MAX } from '../../../../contract/sounds/resumable-uploads.ts';
import { CAUSES } from '../../api-docs/call-text.ts';
import type { ApiTexts } from '../../api-docs/call-text.ts';
import { text } from '../../api-docs/field.ts';
import type { JsonSchema } from '../../api-docs/field.ts';

export const NO_UPLOAD = '自分のアップロードに、このidのものはないか、期限が切れている';
const UPLOAD_IN_USE = '別の通信で処理している';
const OTHER_TUS = 'tus の版が 1.0.0 ではない';
const UPLOAD_ID = { id: text('アップロードのid', 'y475QWn7FBwnO9tL') };
const INTEGER = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string' };
/** Headers of tus 1.0, as texts of an example each. */
const HEADERS = {
  Location: ['アップロードのアドレス', '/api/uploads/y475QWn7FBwnO9tL'],
  'Tus-Resumable': ['tus の版', '1.0.0'],
  'Tus-Version': ['受け付ける tus の版', '1.0.0'],
  'Tus-Extension': ['受け付ける tus の拡張', 'creation,termination,expiration'],
  'Tus-Max-Size': ['ファイルの大きさの上限（バイト）', String(RESUMABLE_BYTES_MAX)],
  'Upload-Length': ['ファイルの大きさ（バイト）', '2244000'],
  'Upload-Offset': ['受け取った大きさ（バイト）', '1048576'],
  'Upload-Expires': ['期限（HTTPの日時）', 'Sat, 21 Nov 2026 05:30:00 GMT'],
  'Upload-Metadata': ['tus の付帯情報。続きの位置とともに返す', 'filename YW1lLm1wMw=='],
} as const;
type HeaderName = keyof typeof HEADERS;
const toHeaders = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    names.map((name) => {
      const [description, example] = HEADERS[name];
      return [name, { description, example, schema: TEXT }];
    }),
  );
const toParameter = (name: HeaderName, schema: JsonSchema, required = true) => {
  const [description, example] = HEADERS[name];
  const value = schema['type'] === 'integer' ? Number(example) : example;
  return { name, in: 'header', required, description, example: value, schema };
};
const VERSION = toParameter('Tus-Resumable', { const: '1.0.0', type: 'string' });
const POSITION = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'] as const;

/** Resumable uploads. */
export const UPLOAD_CALLS: ApiTexts['calls'] = {
  'OPTIONS /api/uploads/': {
    id: 'describeUploads',
    summary: '分割アップロードの仕様を得る',
    isExtension: true,
    raw: {
      responses: {
        204: {
          description: 'このホストが受け付ける仕様',
          headers: toHeaders(['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size']),
        },
      },
    },
  },
  'POST /api/uploads/': {
    id: 'createUpload',
    summary: '分割アップロードを始める',
    description: 'tus 1.0 の creation です。アドレスは Location で返ります。24時間で期限が切れます。',
    refusals: {
      409: 'サウンドの数か容量の上限に達している。またはアップロードが終わっていない',
      412: OTHER_TUS,
      413: CAUSES.fileTooLarge,
      507: CAUSES.diskFull,
    },
    isExtension: true,
    raw: {
      parameters: [
        VERSION,
        toParameter('Upload-Length', { ...INTEGER, minimum: 1, maximum: RESUMABLE_BYTES_MAX }),
        toParameter('Upload-Metadata', TEXT, false),
      ],
      responses: {
        201: {
          description: '作成した',
          headers: toHeaders(['Location', 'Tus-Resumable', 'Upload-Expires']),
        },
      },
    },
  },
  'HEAD /api/uploads/{id}': {
    id: 'getUploadOffset',
    summary: '続きの位置を得る',
    refusals: { 404: NO_UPLOAD, 409: UPLOAD_IN_USE, 412: OTHER_TUS },
    isExtension: true,
    fields: UPLOAD_ID,
    raw: {
      parameters: [VERSION],
      responses: {
        200: { description: '続きの位置', headers: toHeaders([...POSITION, 'Upload-Length']) },
      },
    },
  },
  'PATCH /api/uploads/{id}': {
    id: 'sendUploadPiece',
    summary: '続きを送る',
    refusals: {
      404: NO_UPLOAD,
      409: '続きの位置が合わない。位置を調べてから送り直す。または別の通信で処理している',
      412: OTHER_TUS,
      413: CAUSES.fileTooLarge,
      415: 'Content-Type が application/offset+octet-stream ではない',
      507: CAUSES.diskFull,
    },
    isExtension: true,
    fields: UPLOAD_ID,
    raw: {
      parameters: [VERSION, toParameter('Upload-Offset', INTEGER)],
      requestBody: {
        required: true,
        content: {
          'application/offset+octet-stream': {
            schema: { type: 'string', contentMediaType: 'application/octet-stream' },
          },
        },
      },
      responses: { 204: { description: '受け取った', headers: toHeaders(POSITION) } },
    },
  },
  'DELETE /api/uploads/{id}': {
    id: 'deleteUpload',
    summary: '分割アップロードをやめる',
    refusals: { 404: NO_UPLOAD, 409: UPLOAD_IN_USE, 412: OTHER_TUS },
    isExtension: true,
    fields: UPLOAD_ID,
    raw: {
      parameters: [VERSION],
      responses: { 204: { description: '削除した', headers: toHeaders(['Tus-Resumable']) } },
    },
  },
};

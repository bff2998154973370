import { RESUMABLE_BYTES_MAX } from '../../../contract/resumable-uploads.ts';
import type { JsonSchema } from './field.ts';
import type { Responses } from './responses.ts';

/** Calls whose replies are not JSON of the contract: their own parts of the operation. */
export interface RawCall {
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Responses;
}

const integer = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
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
      return [name, { description, example, schema: text }];
    }),
  );
const toParameter = (name: HeaderName, schema: JsonSchema, required = true) => {
  const [description, example] = HEADERS[name];
  const value = schema['type'] === 'integer' ? Number(example) : example;
  return { name, in: 'header', required, description, example: value, schema };
};
const VERSION = toParameter('Tus-Resumable', { const: '1.0.0', type: 'string' });
const POSITION = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'] as const;
const NOT_MODIFIED = { description: '変更なし（If-None-Match）' };

/** By method and path, as the document names them. Tests require every other call to have a reply in the contract. */
export const RAW_CALLS: Readonly<Record<string, RawCall>> = {
  'OPTIONS /api/uploads/': {
    responses: {
      204: {
        description: 'このホストが受け付ける仕様',
        headers: toHeaders(['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size']),
      },
    },
  },
  'POST /api/uploads/': {
    parameters: [
      VERSION,
      toParameter('Upload-Length', { ...integer, minimum: 1, maximum: RESUMABLE_BYTES_MAX }),
      toParameter('Upload-Metadata', text, false),
    ],
    responses: {
      201: {
        description: '作成した',
        headers: toHeaders(['Location', 'Tus-Resumable', 'Upload-Expires']),
      },
    },
  },
  'HEAD /api/uploads/{id}': {
    parameters: [VERSION],
    responses: {
      200: { description: '続きの位置', headers: toHeaders([...POSITION, 'Upload-Length']) },
    },
  },
  'PATCH /api/uploads/{id}': {
    parameters: [VERSION, toParameter('Upload-Offset', integer)],
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
  'DELETE /api/uploads/{id}': {
    parameters: [VERSION],
    responses: { 204: { description: '削除した', headers: toHeaders(['Tus-Resumable']) } },
  },
  'GET /api/account/export/file/': {
    parameters: [
      {
        name: 'token',
        in: 'query',
        required: true,
        description: '書き出しを申し込んだときの token',
        example: 'y475QWn7FBwnO9tL',
        schema: text,
      },
    ],
    responses: {
      200: {
        description: 'ZIPファイル',
        content: {
          'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } },
        },
      },
    },
  },
  'GET /api/openapi.json': {
    responses: {
      200: {
        description: 'OpenAPI 3.1',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      304: NOT_MODIFIED,
    },
  },
  'GET /api/docs': {
    responses: {
      200: {
        description: 'HTML',
        content: { 'text/html': { schema: text } },
      },
      304: NOT_MODIFIED,
    },
  },
  'GET /api/docs/{file}': {
    responses: {
      200: {
        description: 'スクリプト、またはスタイルシート',
        content: { 'text/javascript': { schema: text }, 'text/css': { schema: text } },
      },
      304: NOT_MODIFIED,
    },
  },
};

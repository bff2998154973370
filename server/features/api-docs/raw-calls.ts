import type { EndpointErrors } from '../../../contract/endpoint.ts';
import { RESUMABLE_BYTES_MAX } from '../../../contract/resumable-uploads.ts';
import type { Responses } from './responses.ts';

/** Calls whose replies are not JSON of the contract: their own parts of the operation. */
export interface RawCall {
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Responses;
  readonly errors?: EndpointErrors;
}

const integer = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
const toHeaders = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { schema: text }]));
const toParameter = (name: string, schema: object, required = true) => {
  return { name, in: 'header', required, schema };
};
const VERSION = toParameter('Tus-Resumable', { const: '1.0.0', type: 'string' });
const POSITION = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'];
const TUS_ERRORS = { 412: 'another version of the protocol' };
const MISSING = { 404: 'no upload of the caller has this id, or it has expired' };
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
    errors: {
      ...TUS_ERRORS,
      409: 'the member has as many sounds, or bytes, as one may have; or the upload is not finished',
      413: 'the file is too large',
      507: 'the host has no room left',
    },
  },
  'HEAD /api/uploads/{id}': {
    parameters: [VERSION],
    responses: {
      200: { description: '続きの位置', headers: toHeaders([...POSITION, 'Upload-Length']) },
    },
    errors: { ...TUS_ERRORS, ...MISSING },
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
    errors: {
      ...TUS_ERRORS,
      ...MISSING,
      409: 'the offset is not the one that the host has',
      413: 'the file is too large',
      415: 'another content type',
      507: 'the host has no room left',
    },
  },
  'DELETE /api/uploads/{id}': {
    parameters: [VERSION],
    responses: { 204: { description: '削除した', headers: toHeaders(['Tus-Resumable']) } },
    errors: { ...TUS_ERRORS, ...MISSING },
  },
  'GET /api/account/export/file/': {
    parameters: [{ name: 'token', in: 'query', required: true, schema: text }],
    responses: {
      200: {
        description: 'ZIPファイル',
        content: {
          'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } },
        },
      },
    },
    errors: { 400: 'the link is unknown or too old' },
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
};

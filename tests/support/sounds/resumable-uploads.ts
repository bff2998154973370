import { buffer } from 'node:stream/consumers';
import type { Database } from '#server/platform/database/open.ts';
import { selectPieces } from '#server/features/my-sounds/uploads/piece-queries.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import type { TestApi, TestApiOptions } from '#support/http/api.ts';
import { createUploadApi, sendForm, useUploadApi } from './uploads.ts';
import { listKeys } from '#support/files/memory-files.ts';

export const UPLOADS_PATH = '/api/uploads/';
export const PIECE_TYPE = 'application/offset+octet-stream';

/** An API for resumable uploads, with what its storage has of them. */
export async function createResumableApi(database: Database, parts: TestApiOptions = {}) {
  const made = await createUploadApi(database, parts);
  const storage = parts.storage ?? made.storage;
  return {
    ...made,
    readBytes: (address: string) => readReceived(database, storage, address),
    listPieces: () => listPieces(storage),
  };
}

/** Such an API for each test of a block. */
export function useResumableApi<Parts extends TestApiOptions = object>(
  ...[open, make]: Parameters<typeof useUploadApi<Parts>>
) {
  const used = useUploadApi(open, make);
  const { database, storage } = used as unknown as { database: Database; storage: Storage };
  return Object.assign(used, {
    readBytes: (address: string) => readReceived(database, storage, address),
    listPieces: () => listPieces(storage),
  });
}

/** The received bytes of an upload. */
export async function readReceived(
  { db }: Pick<Database, 'db'>,
  storage: Storage,
  address: string,
): Promise<Buffer> {
  const pieces = await selectPieces(db, address.slice(UPLOADS_PATH.length));
  return Buffer.concat(
    await Promise.all(pieces.map(async ({ id }) => buffer(await storage.open(`upload-pieces/${id}`)))),
  );
}

/** Ids of the stored pieces of all uploads. */
export async function listPieces(storage: Storage): Promise<string[]> {
  const keys = await listKeys(storage, 'upload-pieces/');
  return keys.map((key) => key.slice('upload-pieces/'.length));
}

export interface TusCall {
  readonly userId?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | ReadableStream<Uint8Array> | null;
}

/** A call of the tus protocol. */
export async function tus(
  api: TestApi,
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'GET',
  path: string,
  { userId = null, headers = {}, body = null }: TusCall,
): Promise<Response> {
  const token = userId === null ? {} : { authorization: `Bearer ${await api.logIn(userId)}` };
  const init = { method, headers: { 'tus-resumable': '1.0.0', ...token, ...headers }, body, duplex: 'half' };
  return api.app.request(path, init as unknown as RequestInit);
}

/** The address of a new upload; throws when it is refused. */
export async function createUpload(api: TestApi, userId: string, sizeBytes: number): Promise<string> {
  const headers = { 'upload-length': String(sizeBytes) };
  const response = await tus(api, 'POST', UPLOADS_PATH, { userId, headers });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return response.headers.get('location') ?? '';
}

export function sendPiece(
  api: TestApi,
  userId: string,
  address: string,
  offset: number,
  body: NonNullable<TusCall['body']>,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = { 'content-type': PIECE_TYPE, 'upload-offset': String(offset), ...more };
  return tus(api, 'PATCH', address, { userId, headers, body });
}

/** The offset of an upload, as reported by the host. */
export async function readOffset(api: TestApi, userId: string, address: string): Promise<number> {
  const response = await tus(api, 'HEAD', address, { userId });
  if (response.status !== 200) throw new Error(`HEAD answered ${response.status}`);
  return Number(response.headers.get('upload-offset') ?? NaN);
}

/** Sends a complete upload and returns its id. */
export async function sendUpload(api: TestApi, userId: string, content: Uint8Array): Promise<string> {
  const address = await createUpload(api, userId, content.byteLength);
  const response = await sendPiece(api, userId, address, 0, content);
  if (response.status !== 204) throw new Error(`${response.status}: ${await response.text()}`);
  return address.slice(UPLOADS_PATH.length);
}

/** Requests a sound from an upload. */
export function makeSound(
  api: TestApi,
  userId: string | null,
  upload: string,
  type: string,
  filename = '雨.mp3',
): Promise<Response> {
  const parts = [
    { name: 'types', content: type },
    { name: 'filename', content: filename },
    { name: 'upload', content: upload },
  ];
  return sendForm(api, 'POST', '/api/sounds/', parts, userId);
}

export function toProblem(response: Response): Promise<[number, string[]]> {
  return response.json().then((fields: object) => [response.status, Object.keys(fields)]);
}

import { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { createUploadLocks } from '#server/features/my-sounds/uploads/locks.ts';
import { createProtocol } from '#server/features/my-sounds/uploads/protocol.ts';
import type { UploadStore } from '#server/features/my-sounds/uploads/store.ts';
import { Problem } from '#server/platform/http/problem.ts';
import { type Target, toTokens } from '#support/fuzzing/target.ts';

const SIZE_BYTES = 100;

/** One upload of 100 bytes, of which 10 have arrived. */
class OneUpload extends DataStore {
  override extensions = ['creation', 'termination', 'expiration'];
  override create = (upload: Upload) => Promise.resolve(upload);
  override remove = () => Promise.resolve();
  override getUpload = (id: string) =>
    id === 'known'
      ? Promise.resolve(new Upload({ id, size: SIZE_BYTES, offset: 10 }))
      : Promise.reject(ERRORS.FILE_NOT_FOUND);
  override write = async (content: Readable, _: string, offset: number) => {
    let end = offset;
    for await (const chunk of content as AsyncIterable<Uint8Array>) end += chunk.byteLength;
    return end;
  };
}

const protocol = createProtocol(new OneUpload() as unknown as UploadStore, createUploadLocks());

/** The first line is method and id, the others are headers; the rest is a body. */
async function call(input: Buffer): Promise<void> {
  const [head = '', body = ''] = input.toString('latin1').split('\n\n', 2);
  const [line = '', ...lines] = head.replace(/[^\n\x20-\x7e\x80-\xff]/g, '').split('\n');
  const [method = '', id = ''] = line.split(' ');
  const headers = lines.flatMap((each): [string, string][] => {
    const [, name, value] = /^([\w-]+): ?(.*)$/.exec(each) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  const isKnown = ['OPTIONS', 'HEAD', 'POST', 'PATCH', 'DELETE'].includes(method);
  const request = new Request('http://localhost/api/uploads/x', {
    method: isKnown ? method : 'PATCH',
    headers,
    ...(method === 'PATCH' && { body: Buffer.from(body, 'latin1') }),
  });
  const asked = method === 'POST' ? { admit: () => Promise.resolve() } : { id };
  await protocol.answer(request, asked);
}

const toCall = (...lines: readonly string[]) => Buffer.from(['tus', ...lines].slice(1).join('\n'));
const VERSION = 'Tus-Resumable: 1.0.0';

export const TARGETS: readonly Target[] = [
  {
    name: 'headers of resumable uploads',
    files: [
      '/uploads/protocol.ts',
      '/uploads/problems.ts',
      '/@tus/server/dist/server.js',
      '/@tus/server/dist/validators/HeaderValidator.js',
      '/@tus/utils/dist/models/Metadata.js',
      ...['Base', 'Delete', 'Head', 'Options', 'Patch', 'Post'].map(
        (name) => `/dist/handlers/${name}Handler.js`,
      ),
    ],
    seeds: () => [
      toCall(
        'POST',
        VERSION,
        'Upload-Length: 100',
        'Upload-Metadata: filename cmFpbi5tcDM=,is_private,type YXVkaW8=',
      ),
      toCall('POST', VERSION, 'Upload-Length: 0', 'Upload-Metadata: a'),
      toCall('HEAD known', VERSION),
      toCall('HEAD other', VERSION),
      toCall(
        'PATCH known',
        VERSION,
        'Content-Type: application/offset+octet-stream',
        'Upload-Offset: 10',
        '',
        'abc',
      ),
      toCall('DELETE known', VERSION),
      toCall('OPTIONS', VERSION),
    ],
    tokens: [
      ...toTokens(
        'POST HEAD PATCH DELETE OPTIONS known \n \n\n : , = - 1e3 0x10 99999999999999999999 NaN Infinity',
      ),
      ...toTokens(
        'Upload-Length Upload-Offset Upload-Metadata Upload-Defer-Length Upload-Concat Tus-Resumable',
      ),
      ...toTokens(
        'Content-Type Content-Length application/offset+octet-stream 1.0.0 __proto__ final; partial',
      ),
      ' ',
    ],
    bytesMax: 16 * 1024,
    read: call,
    isRefusal: (error) => error instanceof Problem && error.status < 500,
  },
];

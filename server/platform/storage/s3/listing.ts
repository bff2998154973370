import type { StoredObject } from '../port.ts';
import type { S3Answer, S3Client } from './client.ts';
import { isUnsupported } from './failures.ts';
import { findText, listElements } from './xml.ts';

/** Every object whose key, without the prefix of the site, begins with `start`; page by page, by default of 1,000. */
export async function* listObjects(
  client: S3Client,
  start: string,
  pageSize?: number,
): AsyncGenerator<{ name: string } & StoredObject> {
  const { prefix } = client.location;
  let token: string | undefined;
  do {
    const query: Record<string, string> = { 'list-type': '2', prefix: `${prefix}${start}` };
    if (pageSize !== undefined) query['max-keys'] = String(pageSize);
    if (token !== undefined) query['continuation-token'] = token;
    const { text } = await client.call({ method: 'GET', query });
    for (const entry of listElements(text, 'Contents')) {
      const name = findText(entry, 'Key')?.slice(prefix.length) ?? '';
      const modifiedAt = new Date(findText(entry, 'LastModified') ?? 0);
      yield { name, size: Number(findText(entry, 'Size')), modifiedAt };
    }
    token = findText(text, 'IsTruncated') === 'true' ? findText(text, 'NextContinuationToken') : undefined;
  } while (token !== undefined);
}

/**
 * Multipart uploads that nobody has finished, of keys that begin with `start`; their parts are invisible and cost money.
 * None where the service does not list them.
 */
export async function* listUploads(
  client: S3Client,
  start: string,
): AsyncGenerator<{ key: string; uploadId: string; begunAtMs: number }> {
  const { prefix } = client.location;
  let marker: Record<string, string> | undefined = {};
  while (marker !== undefined) {
    const query: Record<string, string> = { uploads: '', prefix: `${prefix}${start}`, ...marker };
    const answer: S3Answer | undefined = await client.call({ method: 'GET', query }).catch(onUnsupported);
    if (answer === undefined) return;
    for (const entry of listElements(answer.text, 'Upload')) {
      const key = findText(entry, 'Key') ?? '';
      const uploadId = findText(entry, 'UploadId') ?? '';
      if (!key.startsWith(prefix)) continue;
      yield {
        key: key.slice(prefix.length),
        uploadId,
        begunAtMs: Date.parse(findText(entry, 'Initiated') ?? ''),
      };
    }
    const nextKey = findText(answer.text, 'NextKeyMarker') ?? '';
    const isTruncated: boolean = findText(answer.text, 'IsTruncated') === 'true' && nextKey !== '';
    marker = isTruncated
      ? { 'key-marker': nextKey, 'upload-id-marker': findText(answer.text, 'NextUploadIdMarker') ?? '' }
      : undefined;
  }
}

/** A rule of the bucket has to end uploads there. */
function onUnsupported(error: unknown): undefined {
  if (isUnsupported(error)) return undefined;
  throw error;
}

import { MINUTE_MS } from '../../../../contract/values/time-units.ts';
import type { Database } from '../../../platform/database/open.ts';
import type { Signatures } from '../../../media/signatures.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import type { Storage } from '../../../platform/storage/port.ts';
import type { MediaHandler } from '../../../web/media.ts';
import { sendFile } from '../../../web/replies.ts';
import type { Exchange } from '../../../web/replies.ts';
import { UPLOAD_POLICY } from '../../../web/security-headers.ts';
import { findWaitingFile } from './review-queries.ts';

/** Long enough to listen to a whole application. */
const LIFETIME_MS = 10 * MINUTE_MS;
const FILE = /^\/media\/quality-check\/([0-9A-Za-z]{1,40})\/([1-6])$/;

export interface QualityCheckMedia {
  readonly database: Database;
  readonly storage: Storage;
  readonly signatures: Signatures;
}

/** The address of one file of an application for the staff, valid for ten minutes; begins with `/`. */
export function toFilePath(signatures: Signatures, applicationId: string, slot: number): string {
  const query = signatures.sign('quality-check', toSubject(applicationId, slot), LIFETIME_MS);
  return `/media/quality-check/${applicationId}/${slot}?${query}`;
}

/**
 * Answers requests for such addresses and passes others to `next`. Missing files and files of others have the same
 * reply: without a valid signature, nothing exists.
 */
export function withQualityCheckFiles(media: QualityCheckMedia, next: MediaHandler): MediaHandler {
  return async (exchange, target) => {
    const [, applicationId = '', slot = ''] = FILE.exec(target.path) ?? [];
    const { method } = exchange.req;
    if (applicationId === '' || (method !== 'GET' && method !== 'HEAD')) return next(exchange, target);
    await send(media, exchange, applicationId, Number(slot), new URLSearchParams(target.query));
  };
}

async function send(
  { database, storage, signatures }: QualityCheckMedia,
  exchange: Exchange,
  applicationId: string,
  slot: number,
  query: URLSearchParams,
): Promise<void> {
  exchange.res.setHeader('cross-origin-resource-policy', 'same-origin');
  const signature = signatures.check('quality-check', toSubject(applicationId, slot), query);
  if (signature === 'expired') {
    throw new Problem(410, 'このアドレスの期限が切れました。');
  }
  const file = signature === 'valid' ? await findWaitingFile(database.db, applicationId, slot) : undefined;
  const object = file?.object_key ? await storage.find(file.object_key) : undefined;
  if (!file?.object_key || object === undefined) throw noFile();
  const { object_key: key, mime, sha256 } = file;
  try {
    await sendFile(exchange, {
      size: object.size,
      etag: `"${sha256}"`,
      headers: [
        ['content-security-policy', UPLOAD_POLICY],
        ['content-type', mime],
        ['cache-control', 'private, no-store'],
      ],
      content: (range) => storage.open(key, range),
    });
  } catch (error) {
    // The application was decided a moment ago.
    if (!(error instanceof MissingObjectError) || exchange.res.headersSent) throw error;
    for (const name of ['etag', 'accept-ranges']) exchange.res.removeHeader(name);
    throw noFile();
  }
}

function toSubject(applicationId: string, slot: number): string {
  return `${applicationId}/${slot}`;
}

function noFile(): Problem {
  return new Problem(404, 'ファイルが見つかりません。');
}

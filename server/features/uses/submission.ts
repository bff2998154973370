import { CERTIFICATE_ID } from '../../../contract/downloads/certificate-ids.ts';
import type { Certificate } from '../../../contract/downloads/certificates.ts';
import { USES_PER_CERTIFICATE_MAX } from '../../../contract/artists/uses.ts';
import type { NewUse } from '../../../contract/artists/uses.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { findCertificate } from '../certificates/queries.ts';
import { WAITING_PER_ARTIST_MAX } from './limits.ts';
import { countWaiting, findPublicArtist, insertUse, selectReportedAddresses } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * Stores a use of the sound that a certificate names, for its artist, and returns its id. Throws `Problem` 404 for an
 * unknown certificate, and 409 when the sound is not public, when the certificate has been used up or with this address
 * before, or while too many uses wait for the artist.
 */
export async function submitUse(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  certificateId: string,
  use: NewUse,
): Promise<string> {
  const { db } = database;
  const found = CERTIFICATE_ID.test(certificateId) ? await findCertificate(db, certificateId) : undefined;
  if (found === undefined) throw notFound();
  const { sound_id } = JSON.parse(found.body) as Certificate;
  return db.transaction().execute(async (transaction: Handle) => {
    const artist = await findPublicArtist(transaction, sound_id);
    if (artist === undefined) throw new Problem(409, 'このサウンドは、現在は公開されていません。');
    const { artist_id } = artist;
    // Two uses at once would both be below the limits.
    await database.takeLock(transaction, 'uses', artist_id);
    const reportedAddresses = await selectReportedAddresses(transaction, certificateId);
    if (reportedAddresses.includes(use.address))
      throw new Problem(409, { address: 'このURLは、すでに報告されています。' });
    if (reportedAddresses.length >= USES_PER_CERTIFICATE_MAX) {
      throw new Problem(
        409,
        `1つの利用証明書で報告できるのは${USES_PER_CERTIFICATE_MAX}件までです。日を改めてもう一度ダウンロードすると、続けて報告できます。`,
      );
    }
    if ((await countWaiting(transaction, artist_id)) >= WAITING_PER_ARTIST_MAX) {
      throw new Problem(
        409,
        'このアーティストには確認を待つ使用報告が多いため、いまは受け付けられません。日を改めてお試しください。',
      );
    }
    const nowMs = clock.now();
    const id = randomId();
    await insertUse(transaction, {
      id,
      certificate_id: certificateId,
      sound_id,
      artist_id,
      ...use,
      state: 'waiting',
      created_at: nowMs,
      changed_at: nowMs,
    });
    return id;
  });
}

import { CERTIFICATE_ID, LICENCE_HASH } from '../../../contract/certificate-ids.ts';
import {
  CERTIFICATES_PAGE_MAX,
  CERTIFICATES_PAGE_SIZE,
  getCertificate,
  getLicence,
  listCertificateKeys,
  listOwnCertificates,
} from '../../../contract/certificates.ts';
import type { Certificate } from '../../../contract/certificates.ts';
import { notFound, requireMember, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import {
  findCertificate,
  findLicence,
  findPublicSound,
  selectCertificatesOf,
  selectKeys,
} from './queries.ts';

export function serveCertificates(api: Api): void {
  const { database } = api.platform;

  serve(api, getCertificate, async ({ params: { id } }) => {
    const row = CERTIFICATE_ID.test(id) ? await findCertificate(database.db, id) : undefined;
    if (row === undefined) throw notFound();
    const certificate = JSON.parse(row.body) as Certificate;
    return {
      certificate,
      signature: { algorithm: 'Ed25519' as const, key_id: row.key_id, value: row.signature },
      is_sound_public: (await findPublicSound(database.db, certificate.sound_id)) !== undefined,
    };
  });

  serve(api, getLicence, async ({ params: { hash } }) => {
    const row = LICENCE_HASH.test(hash) ? await findLicence(database.db, hash) : undefined;
    if (row === undefined) throw notFound();
    const { title, body, created_at } = row;
    return { hash: row.hash, title, body, since: new Date(created_at).toISOString() };
  });

  serve(api, listCertificateKeys, async () =>
    (await selectKeys(database.db)).map(({ id, public_key, created_at }) => ({
      id,
      algorithm: 'Ed25519' as const,
      public_key,
      since: new Date(created_at).toISOString(),
    })),
  );

  serve(api, listOwnCertificates, async (call) => {
    const { page = 1 } = call.query;
    const offset = (page - 1) * CERTIFICATES_PAGE_SIZE;
    const limit = CERTIFICATES_PAGE_SIZE + 1;
    const rows = await selectCertificatesOf(database.db, requireMember(call).id, { limit, offset });
    const hasMore = rows.length === limit && page < CERTIFICATES_PAGE_MAX;
    const results = rows.slice(0, CERTIFICATES_PAGE_SIZE).map(({ id, body }) => {
      const { issued_at, sound_title, artist } = JSON.parse(body) as Certificate;
      return { id, issued_at, sound_title, artist };
    });
    return { results, next: hasMore ? page + 1 : null };
  });
}

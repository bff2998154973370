import { HOUR_SEC } from '../../../contract/values/time-units.ts';
import { CERTIFICATE_ID, LICENCE_HASH } from '../../../contract/downloads/certificate-ids.ts';
import {
  CERTIFICATES_PAGE_MAX,
  CERTIFICATES_PAGE_SIZE,
  getCertificate,
  getLicence,
  listCertificateKeys,
  listOwnCertificates,
} from '../../../contract/downloads/certificates.ts';
import type { Certificate } from '../../../contract/downloads/certificates.ts';
import { GENERAL, READS, byMember } from '../../platform/http/access.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import type { Feature } from '../feature.ts';
import { CERTIFICATES_ERASURE } from './erasure.ts';
import { CERTIFICATES_FILE } from './export.ts';
import { certificates } from './checks.ts';
import {
  findCertificate,
  findLicence,
  findPublicSound,
  selectCertificatesOf,
  selectKeys,
} from './queries.ts';

/** A whole list is up to `CERTIFICATES_PAGE_MAX` calls. */
const LISTS: RateLimit = { name: 'own-certificates', points: 300, perSec: HOUR_SEC };

/** Certificates of downloads, which the downloads issue. */
export const certificatesFeature: Feature = {
  name: 'certificates',
  apiTexts: () => import('./api-texts.ts'),
  erasure: CERTIFICATES_ERASURE,
  exports: [CERTIFICATES_FILE],
  checks: [certificates],
  createModule: () => ({
    routes: [
      route(
        getCertificate,
        { caller: 'anyone', owner: 'secret', limits: [READS] },
        async ({ params: { id } }, { database: { db } }: Platform) => {
          const row = CERTIFICATE_ID.test(id) ? await findCertificate(db, id) : undefined;
          if (row === undefined) throw notFound();
          const certificate = JSON.parse(row.body) as Certificate;
          return {
            certificate,
            signature: { algorithm: 'Ed25519' as const, key_id: row.key_id, value: row.signature },
            is_sound_public: (await findPublicSound(db, certificate.sound_id)) !== undefined,
          };
        },
      ),

      route(
        getLicence,
        { caller: 'anyone', owner: 'public', limits: [READS] },
        async ({ params: { hash } }, { database }: Platform) => {
          const row = LICENCE_HASH.test(hash) ? await findLicence(database.db, hash) : undefined;
          if (row === undefined) throw notFound();
          const { title, body, created_at } = row;
          return { hash: row.hash, title, body, since: new Date(created_at).toISOString() };
        },
      ),

      route(listCertificateKeys, GENERAL, async (_, { database }: Platform) =>
        (await selectKeys(database.db)).map(({ id, public_key, created_at }) => ({
          id,
          algorithm: 'Ed25519' as const,
          public_key,
          since: new Date(created_at).toISOString(),
        })),
      ),

      route(
        listOwnCertificates,
        { caller: 'member', owner: 'own', limits: [byMember(LISTS)] },
        async ({ query: { page = 1 }, caller }, { database }: Platform) => {
          const offset = (page - 1) * CERTIFICATES_PAGE_SIZE;
          const limit = CERTIFICATES_PAGE_SIZE + 1;
          const rows = await selectCertificatesOf(database.db, caller.id, { limit, offset });
          const hasMore = rows.length === limit && page < CERTIFICATES_PAGE_MAX;
          const results = rows.slice(0, CERTIFICATES_PAGE_SIZE).map(({ id, body }) => {
            const certificate = JSON.parse(body) as Certificate;
            const { issued_at, sound_title, artist, sound_id, licence_sha256, licence_line } = certificate;
            const licence = { licence_sha256, ...(licence_line !== undefined && { licence_line }) };
            return { id, issued_at, sound_title, artist, sound_id, ...licence };
          });
          return { results, next: hasMore ? page + 1 : null };
        },
      ),
    ],
  }),
};

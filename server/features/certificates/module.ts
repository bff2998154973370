import {
  getCertificate,
  getLicence,
  listCertificateKeys,
  listOwnCertificates,
} from '../../../contract/certificates.ts';
import { READS, byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import type { RateLimit } from '../../platform/limits/limits.ts';
import { serveCertificates } from './routes.ts';

/** A whole list is up to `CERTIFICATES_PAGE_MAX` calls. */
const LISTS: RateLimit = { name: 'own-certificates', points: 300, perSec: 3_600 };

/** Certificates of downloads, which the downloads issue. */
export function createCertificatesModule(): Module {
  return {
    name: 'certificates',
    access: [
      declare(getCertificate, 'anyone', 'secret', READS),
      declare(getLicence, 'anyone', 'public', READS),
      declare(listCertificateKeys, 'anyone', 'nothing', READS),
      declare(listOwnCertificates, 'member', 'own', byMember(LISTS)),
    ],
    serve: serveCertificates,
  };
}

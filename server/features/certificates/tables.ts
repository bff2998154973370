import type { Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** Certificates of downloads. A row never changes, except that `user_id` is cleared. */
interface CertificatesTable {
  /** Unguessable. */
  id: string;
  /** The member who was logged in, if any. */
  user_id: string | null;
  issued_at: number;
  /** The signed bytes: `Certificate` (contract/downloads/certificates.ts) as canonical JSON. */
  body: string;
  /** In `certificate_keys`. */
  key_id: string;
  /** Base64url. */
  signature: string;
}

/** The public halves of the keys that have signed certificates. */
interface CertificateKeysTable {
  id: string;
  /** 32 bytes, base64url. */
  public_key: string;
  created_at: number;
}

/** Terms of use as they were when certificates named them. */
interface LicencesTable {
  /** SHA-256 of `toLicenceText`, hexadecimal. */
  hash: string;
  title: string;
  /** Markdown. */
  body: string;
  created_at: number;
}

interface CertificateTables {
  certificates: CertificatesTable;
  certificate_keys: CertificateKeysTable;
  licences: LicencesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends CertificateTables {}
}

type Others = ReadOnly<Pick<Schema, 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<CertificateTables & Others>;

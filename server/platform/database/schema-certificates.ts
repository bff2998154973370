/** Certificates of downloads. A row never changes, except that `user_id` is cleared. */
interface CertificatesTable {
  /** Unguessable. */
  id: string;
  /** The member who was logged in, if any. */
  user_id: string | null;
  issued_at: number;
  /** The signed bytes: `Certificate` (contract/certificates.ts) as canonical JSON. */
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

export interface CertificatesSchema {
  certificates: CertificatesTable;
  certificate_keys: CertificateKeysTable;
  licences: LicencesTable;
}

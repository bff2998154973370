import type { CertificateSigner } from './signer.ts';

/** What certificates need in addition to the platform. */
export interface CertificatesOptions {
  readonly signer: CertificateSigner;
  /** The product's own terms for members, for a site whose operator has written none. */
  readonly memberTerms: { readonly title: string; readonly body: string };
}

export { findForgeries } from './forgeries.ts';
export { issueCertificate, prepareCertificates } from './issuing.ts';
export type { CertificatesOptions, IssuingDeps } from './issuing.ts';
export { findCertificate } from './queries.ts';
export { createCertificateSigner } from './signer.ts';

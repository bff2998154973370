export { findForgeries } from './forgeries.ts';
export { issueCertificate, prepareCertificates } from './issuing.ts';
export type { IssuingDeps } from './issuing.ts';
export type { CertificatesOptions } from './options.ts';
export { createCertificateSigner } from './signer.ts';

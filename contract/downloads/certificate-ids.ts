/** Separate from `certificates.ts`, because addresses are parsed where no schema is needed. */

/** 16 random bytes in base64url. Anyone who knows the id can see the certificate. */
export const CERTIFICATE_ID = /^[\w-]{22}$/;
/** SHA-256 in hexadecimal. */
export const LICENCE_HASH = /^[0-9a-f]{64}$/;

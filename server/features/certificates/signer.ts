import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_ID_BYTES = 8;

/** Signs certificates without exposing the private key. */
export interface CertificateSigner {
  /** The beginning of the SHA-256 of the public key, hexadecimal. */
  readonly keyId: string;
  /** 32 bytes (RFC 8032), base64url. */
  readonly publicKey: string;
  /** The Ed25519 signature of a text in UTF-8, base64url. */
  sign(text: string): string;
}

/** The signer whose private key is this secret of 32 bytes. */
export function createCertificateSigner(secret: Uint8Array): CertificateSigner {
  if (secret.byteLength !== 32) throw new RangeError('the secret of certificates needs 32 bytes');
  const der = Buffer.concat([PKCS8_HEAD, secret]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x: publicKey = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest();
  return {
    keyId: digest.toString('hex', 0, KEY_ID_BYTES),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}

/** Whether a signature of a text is that of the public key, both in base64url. A damaged key verifies nothing. */
export function createVerifier(publicKey: string): (text: string, signature: string) => boolean {
  try {
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } });
    return (text, signature) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return () => false;
  }
}

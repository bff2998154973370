import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed Ed25519 certificate for `localhost` (RFC 5280, RFC 8410), with its key, in PEM. */
export function makeCertificate(validUntil: Date) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = der(0x30, Buffer.from('06032b6570', 'hex'));
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('localhost')));
  const name = der(0x30, der(0x31, commonName));
  const content = der(
    0x30,
    Buffer.from('a003020102', 'hex'), // version 3
    Buffer.from('020101', 'hex'), // serial number
    algorithm,
    name,
    der(0x30, toTime(new Date(Date.UTC(2020, 0, 1))), toTime(validUntil)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign(null, content, privateKey));
  const body = der(0x30, content, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** UTCTime. */
function toTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toSealingKey } from '#server/platform/crypto/sealed-keys.ts';
import { makeDataKey, seal, sealDataKey } from '#server/platform/crypto/sealed.ts';
import { openSeal, readKeyFile } from '#src/islands/console/identity/seals.ts';

const CONTEXT = 'personal-info submission 音の人';
const PLAIN = Buffer.from('a photograph');

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    sealing: toSealingKey(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
const key = makeKey();
const other = makeKey();
const toFile = (...texts: string[]) => new Blob(texts);

/** What the server hands over, with a change before it is encoded. */
function sealPhotograph(change: (sealed: Buffer, sealedKey: Buffer) => void = () => undefined) {
  const dataKey = makeDataKey();
  const sealed = seal(dataKey, PLAIN, CONTEXT);
  const sealedKey = sealDataKey(key.sealing, dataKey, CONTEXT);
  change(sealed, sealedKey);
  return {
    sealed: sealed.toString('base64'),
    sealedKey: sealedKey.toString('base64'),
    context: CONTEXT,
  };
}

describe('a sealed photograph', () => {
  it('of the server opens in the browser with the staff’s key file, which can hold several keys', async () => {
    const keys = await readKeyFile(toFile('notes\n', other.pem, key.pem));
    expect(keys.map(({ id }) => id)).toEqual([other, key].map(({ sealing }) => sealing.id.toString('hex')));
    const opened = await openSeal(keys, sealPhotograph());
    expect(opened.type).toBe('image/jpeg');
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(PLAIN);
  });

  it('does not give the private key away', async () => {
    const [read] = await readKeyFile(toFile(key.pem));
    expect(read?.privateKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('pkcs8', read?.privateKey as CryptoKey)).rejects.toThrow();
  });

  it('names the key that it needs', async () => {
    const keys = await readKeyFile(toFile(other.pem));
    await expect(openSeal(keys, sealPhotograph())).rejects.toMatchObject({
      problem: { kind: 'other-key', keyId: key.sealing.id.toString('hex') },
    });
  });

  it('is refused when any byte of it was modified, or in another context', async () => {
    const keys = await readKeyFile(toFile(key.pem));
    const whole = sealPhotograph();
    const lengths = [whole.sealed, whole.sealedKey].map((text) => Buffer.from(text, 'base64').byteLength);
    const flip = (bytes: Buffer, at: number) => void (bytes[at] = (bytes[at] ?? 0) ^ 1);
    for (const [which, length] of lengths.entries()) {
      for (let at = 0; at < length; at += 1) {
        const modified = sealPhotograph((...parts) => flip(parts[which] ?? Buffer.alloc(0), at));
        await expect(openSeal(keys, modified), `byte ${at} of part ${which}`).rejects.toMatchObject({
          problem: { kind: expect.stringMatching(/^(modified|other-key)$/) },
        });
      }
    }
    await expect(openSeal(keys, { ...whole, context: 'another' })).rejects.toMatchObject({
      problem: { kind: 'modified' },
    });
    await expect(openSeal(keys, { ...whole, sealed: btoa('short') })).rejects.toMatchObject({
      problem: { kind: 'modified' },
    });
  });

  it('without its data key is recognised', async () => {
    const keys = await readKeyFile(toFile(key.pem));
    await expect(openSeal(keys, { ...sealPhotograph(), sealedKey: null })).rejects.toMatchObject({
      problem: { kind: 'no-data-key' },
    });
  });

  it.each([
    ['a picture', 'JFIF'],
    ['a public key', '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEA\n-----END PUBLIC KEY-----'],
    [
      'a key of another curve',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
    ['a large file', 'x'.repeat(100_000) + key.pem],
  ])('is not opened with %s', async (_, text) => {
    await expect(readKeyFile(toFile(text))).rejects.toMatchObject({ problem: { kind: 'not-a-key-file' } });
  });
});

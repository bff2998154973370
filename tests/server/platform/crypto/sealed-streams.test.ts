import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findSealingKey, toOpeningKeys, toPublicKeyLine } from '#server/platform/crypto/sealed-keys.ts';
import { UnopenableSealError } from '#server/platform/crypto/sealed.ts';
import { sealStream, unsealStream } from '#server/platform/crypto/sealed-streams.ts';

const PART = 65_536;
const SEALED_PART = PART + 16;
const KEY_BYTES = 92;

function makeKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const key = findSealingKey(toPublicKeyLine(publicKey));
  if (key === undefined) throw new Error('no key');
  return { key, opening: toOpeningKeys([privateKey]) };
}

const { key, opening } = makeKeys();
const seal = (plain: Uint8Array, context = 'a') =>
  buffer(Readable.from(sealStream(key, Readable.from([plain]), context)));
const open = (sealed: Uint8Array, context = 'a', keys = opening) =>
  buffer(Readable.from(unsealStream(keys, Readable.from([sealed]), context), { objectMode: false }));

test.each([0, 1, PART - 1, PART, PART + 1, 3 * PART])('content of %i bytes opens as it was', async (size) => {
  const plain = randomBytes(size);
  const sealed = await seal(plain);
  expect(sealed.byteLength).toBe(KEY_BYTES + size + 16 * Math.max(1, Math.ceil(size / PART)));
  expect((await open(sealed)).equals(plain)).toBe(true);
});

test('it opens in pieces of any size, with its own key and context only', async () => {
  const plain = randomBytes(PART + 100);
  const sealed = await seal(plain);
  const bytes = Array.from(sealed, (byte) => Uint8Array.of(byte));
  expect((await buffer(Readable.from(unsealStream(opening, Readable.from(bytes), 'a')))).equals(plain)).toBe(
    true,
  );
  await expect(open(sealed, 'b')).rejects.toThrow(UnopenableSealError);
  await expect(open(sealed, 'a', makeKeys().opening)).rejects.toThrow(/sealed to another key/);
});

test('nothing of it can be changed, cut off, moved, repeated or added', async () => {
  const sealed = await seal(randomBytes(2 * PART + 100));
  const head = sealed.subarray(0, KEY_BYTES);
  const first = sealed.subarray(KEY_BYTES, KEY_BYTES + SEALED_PART);
  const second = sealed.subarray(KEY_BYTES + SEALED_PART, KEY_BYTES + 2 * SEALED_PART);
  const last = sealed.subarray(KEY_BYTES + 2 * SEALED_PART);
  const forged = [
    ...[0, 4, 20, 80, KEY_BYTES, KEY_BYTES + SEALED_PART - 1, sealed.byteLength - 1].map((at) =>
      sealed.map((byte, index) => (index === at ? byte ^ 1 : byte)),
    ),
    sealed.subarray(0, -1),
    Buffer.concat([head, first, second]),
    Buffer.concat([head, first]),
    head,
    head.subarray(0, 50),
    Buffer.concat([head, second, first, last]),
    Buffer.concat([head, first, first, last]),
    Buffer.concat([head, first, last]),
    Buffer.concat([sealed, Buffer.from('x')]),
    Buffer.concat([sealed, last]),
  ];
  for (const bytes of forged) await expect(open(bytes)).rejects.toThrow(UnopenableSealError);
});

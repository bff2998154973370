import { type KeyObject, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  UnopenableSealError,
  makeDataKey,
  openDataKey,
  seal,
  sealDataKey,
  unseal,
} from '#server/platform/crypto/sealed.ts';
import {
  readOpeningKeys,
  readOrMakeSealingKey,
  toOpeningKeys,
  toSealingKey,
} from '#server/platform/crypto/sealed-keys.ts';
import { makeFolder } from '#support/files/folders.ts';

const plain = Buffer.from('a photograph');
const makePrivate = () => generateKeyPairSync('x25519').privateKey;
const toPrivatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const toPublicPem = (key: KeyObject) =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
const OLD = makePrivate();
const NEW = makePrivate();
const toKey = (key: KeyObject) => toSealingKey(toPublicPem(key));

/** Changes each drawn bit and cuts at each drawn length; no result opens. */
function expectFragile(sealed: Buffer, open: (changed: Buffer) => Buffer): void {
  fc.assert(
    fc.property(fc.nat(sealed.byteLength - 1), fc.nat(7), (at, bit) => {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      expect(() => open(changed)).toThrow(UnopenableSealError);
      expect(() => open(sealed.subarray(0, at))).toThrow(UnopenableSealError);
    }),
  );
}

describe('a seal', () => {
  const dataKey = makeDataKey();

  test('opens with its key and context, and differs each time', () => {
    const first = seal(dataKey, plain, 'here');
    expect(unseal(dataKey, first, 'here').equals(plain)).toBe(true);
    expect(seal(dataKey, plain, 'here').equals(first)).toBe(false);
    expect(first.includes(plain)).toBe(false);
    expect(() => unseal(dataKey, first, 'there')).toThrow(UnopenableSealError);
    expect(() => unseal(makeDataKey(), first, 'here')).toThrow(UnopenableSealError);
  });

  test('breaks with any bit that is changed, and any byte that is missing', () => {
    expectFragile(seal(dataKey, plain, 'here'), (changed) => unseal(dataKey, changed, 'here'));
  });
});

describe('a sealed data key', () => {
  const dataKey = makeDataKey();

  test('opens only with the private key in its context, and differs each time', () => {
    const sealed = sealDataKey(toKey(OLD), dataKey, 'here');
    expect(openDataKey(toOpeningKeys([NEW, OLD]), sealed, 'here').equals(dataKey)).toBe(true);
    expect(sealDataKey(toKey(OLD), dataKey, 'here').equals(sealed)).toBe(false);
    expect(sealed.includes(dataKey)).toBe(false);
    expect(() => openDataKey(toOpeningKeys([OLD]), sealed, 'there')).toThrow(UnopenableSealError);
    expect(() => openDataKey(toOpeningKeys([NEW]), sealed, 'here')).toThrow(/is not here/);
  });

  test('breaks with any bit that is changed, and any byte that is missing', () => {
    const keys = toOpeningKeys([OLD]);
    expectFragile(sealDataKey(toKey(OLD), dataKey, 'here'), (changed) => openDataKey(keys, changed, 'here'));
  });
});

describe('the key files', () => {
  const place = async () => {
    const folder = await makeFolder();
    return { folder, publicFile: join(folder, 'data', 'ids.pub'), privateFile: join(folder, 'keys', 'ids') };
  };

  test('name the setting when a new private key cannot be written', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'file'), '');
    const files = { publicFile: join(folder, 'public'), privateFile: join(folder, 'file/private') };
    expect(() => readOrMakeSealingKey(files)).toThrow('set PERSONAL_INFO_KEY_FILE');
  });

  test('are created once, the private one readable only by its owner', async () => {
    const files = await place();
    const { id } = readOrMakeSealingKey(files);
    expect(readOrMakeSealingKey(files).id).toEqual(id);
    expect((await stat(files.privateFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(files.folder, 'keys'))).toEqual(['ids']);
    expect(readOpeningKeys(files.privateFile).find(id)).toBeDefined();
    expect(await readFile(files.publicFile, 'utf8')).not.toContain('PRIVATE');
  });

  test('need no private key to seal, and are created only when both are missing', async () => {
    const files = await place();
    const { id } = readOrMakeSealingKey(files);
    await rm(files.publicFile);
    expect(readOrMakeSealingKey(files).id).toEqual(id);
    await rm(files.privateFile);
    expect(readOrMakeSealingKey(files).id).toEqual(id);
    expect(await readdir(join(files.folder, 'keys'))).toEqual([]);
  });

  test('may hold several private keys: the old ones still open what they sealed', async () => {
    const path = join(await makeFolder(), 'ids');
    await writeFile(path, `${toPrivatePem(NEW)}\r\n${toPrivatePem(OLD)}`);
    const keys = readOpeningKeys(path);
    for (const key of [NEW, OLD]) expect(keys.find(toKey(key).id)).toBeDefined();
  });

  test.each([
    '',
    'short',
    'A'.repeat(43),
    toPublicPem(OLD),
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ])('are refused, not replaced, when the private file contains %j', async (text) => {
    const files = await place();
    readOrMakeSealingKey(files);
    await rm(files.publicFile);
    await writeFile(files.privateFile, text);
    expect(() => readOrMakeSealingKey(files)).toThrow(/must hold X25519 private keys/);
    expect(await readFile(files.privateFile, 'utf8')).toBe(text);
  });
});

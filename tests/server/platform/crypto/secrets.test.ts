import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  findSecretKey,
  openSecret,
  openSecrets,
  readOrMakeSecret,
  toSecretKeyId,
} from '#server/platform/crypto/secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'otoichi-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('creates a secret once and reads it again, private to its owner', () => {
  const made = readOrMakeSecret(folder, 'access-token');
  expect(made).toHaveLength(32);
  expect(readOrMakeSecret(folder, 'access-token')).toEqual(made);
  expect(readOrMakeSecret(folder, 'other')).not.toEqual(made);
  expect(statSync(join(folder, 'secrets', 'access-token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(['access-token', 'other']);
});

test('refuses a truncated secret instead of creating another', () => {
  readOrMakeSecret(folder, 'access-token');
  writeFileSync(join(folder, 'secrets', 'access-token'), 'short');
  expect(() => readOrMakeSecret(folder, 'access-token')).toThrow('is not a secret of 32 bytes');
});

const BYTES = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff', 'hex');
const toKey = (bytes: Buffer) => {
  const key = findSecretKey(bytes.toString('base64'));
  if (key === undefined) throw new Error('no key');
  return key;
};

test.each(['hex', 'base64', 'base64url'] as const)('reads a secret key in %s', (encoding) => {
  for (let count = 0; count < 100; count += 1) {
    const bytes = randomBytes(32 + (count % 4));
    expect(findSecretKey(bytes.toString(encoding))?.export()).toEqual(bytes);
  }
});

test.each([
  ['31 bytes', BYTES.subarray(1).toString('base64')],
  ['62 hex digits', BYTES.subarray(1).toString('hex')],
  ['hex digits that would be 32 bytes in base64', BYTES.toString('hex').slice(0, 44)],
  ['a repeated byte', Buffer.alloc(64, 7).toString('base64')],
  ['a repeated word', 'changeme'.repeat(8)],
  ['a sentence', 'this is a long sentence, but it is no key of 32 random bytes'],
])('refuses %s as a secret key', (_, text) => {
  expect(findSecretKey(text)).toBeUndefined();
});

test('derives secrets by HKDF-SHA-256 with their name, and writes no file', () => {
  const source = { dataDir: folder, secretKey: toKey(BYTES), previousSecretKey: null };
  const made = openSecret(source, 'sessions');
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(BYTES).digest();
  const expanded = createHmac('sha256', extracted).update('sessions\u0001').digest();
  expect(Buffer.from(made)).toEqual(expanded);
  expect(openSecret({ ...source, dataDir: '/elsewhere' }, 'sessions')).toEqual(made);
  expect(openSecret(source, 'access-tokens')).not.toEqual(made);
  expect(openSecret({ ...source, secretKey: toKey(randomBytes(32)) }, 'sessions')).not.toEqual(made);
  expect(existsSync(join(folder, 'secrets'))).toBe(false);
});

test('accepts the secret of the previous key after its own', () => {
  const [secretKey, previousSecretKey] = [toKey(randomBytes(32)), toKey(BYTES)];
  const secrets = openSecrets({ dataDir: folder, secretKey, previousSecretKey }, 'sessions');
  const before = { dataDir: folder, secretKey: previousSecretKey, previousSecretKey: null };
  expect(secrets).toHaveLength(2);
  expect(secrets[1]).toEqual(openSecret(before, 'sessions'));
  expect(toSecretKeyId(secretKey)).not.toBe(toSecretKeyId(previousSecretKey));
});

test('a secret key shows its content neither in JSON nor in a log', () => {
  const shown = `${JSON.stringify(toKey(BYTES))} ${inspect(toKey(BYTES), { showHidden: true, depth: 9 })}`;
  for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const)
    expect(shown).not.toContain(BYTES.subarray(8, 24).toString(encoding).slice(0, 12));
});

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrMakeSecret } from '../../../../server/platform/crypto/secrets.ts';

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

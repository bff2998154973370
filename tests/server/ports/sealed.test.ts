import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnopenableSealError, seal, unseal } from '../../../server/ports/sealed.ts';
import { readOrMakeSealingKeys, toSealingKeys } from '../../../server/ports/sealed-keys.ts';
import { makeFolder } from '../../support/folders.ts';

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const plain = Buffer.from('a photograph');

describe('a seal', () => {
  test('opens with its key and context, and is never the same twice', () => {
    const keys = toSealingKeys([OLD]);
    const first = seal(keys, plain, 'here');
    expect(unseal(keys, first, 'here').equals(plain)).toBe(true);
    expect(seal(keys, plain, 'here').equals(first)).toBe(false);
    expect(first.includes(plain)).toBe(false);
  });

  test('opens neither elsewhere nor with another key', () => {
    const sealed = seal(toSealingKeys([OLD]), plain, 'here');
    expect(() => unseal(toSealingKeys([OLD]), sealed, 'there')).toThrow(UnopenableSealError);
    expect(() => unseal(toSealingKeys([NEW]), sealed, 'here')).toThrow(/is not in the key file/);
  });

  test('still opens when a newer key has been put on top, which seals from then on', () => {
    const sealed = seal(toSealingKeys([OLD]), plain, 'here');
    const both = toSealingKeys([NEW, OLD]);
    expect(unseal(both, sealed, 'here').equals(plain)).toBe(true);
    expect(unseal(toSealingKeys([NEW]), seal(both, plain, 'here'), 'here').equals(plain)).toBe(true);
  });

  test('breaks with any bit that is changed, and any byte that is missing', () => {
    const keys = toSealingKeys([OLD]);
    const sealed = seal(keys, plain, 'here');
    fc.assert(
      fc.property(fc.nat(sealed.byteLength - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(() => unseal(keys, changed, 'here')).toThrow(UnopenableSealError);
        expect(() => unseal(keys, sealed.subarray(0, at), 'here')).toThrow(UnopenableSealError);
      }),
    );
  });
});

describe('the key file', () => {
  test('is made once, for its owner alone, and kept', async () => {
    const folder = await makeFolder();
    const path = join(folder, 'keys', 'personal-info');
    const made = readOrMakeSealingKeys(path);
    expect(readOrMakeSealingKeys(path).current).toEqual(made.current);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'keys'))).toEqual(['personal-info']);
  });

  test('holds a key a line, the newest first', async () => {
    const path = join(await makeFolder(), 'keys');
    const lines = [NEW, OLD].map((key) => Buffer.from(key).toString('base64url'));
    await writeFile(path, `${lines.join('\r\n')}\n\n`);
    const keys = readOrMakeSealingKeys(path);
    expect(keys.current).toEqual({ ...toSealingKeys([NEW]).current, key: Buffer.from(NEW) });
    expect(keys.find(toSealingKeys([OLD]).current.id)).toEqual(Buffer.from(OLD));
  });

  test.each(['', 'short', `${'A'.repeat(43)}!`, 'A'.repeat(44)])(
    'is refused, not replaced, when it holds %j',
    async (text) => {
      const path = join(await makeFolder(), 'keys');
      await writeFile(path, text);
      expect(() => readOrMakeSealingKeys(path)).toThrow(/key/);
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );
});

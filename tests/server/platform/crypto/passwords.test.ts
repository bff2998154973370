import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword } from '#server/platform/crypto/passwords.ts';

describe('passwords', () => {
  it('are recognised only by their hash', async () => {
    const hash = await hashPassword('正しい馬 battery');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(await isPassword('正しい馬 battery', hash)).toBe(true);
    expect(await isPassword('正しい馬 batterY', hash)).toBe(false);
    expect(await isPassword('', hash)).toBe(false);
  });

  it('have a new hash each time', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  it('match no hash of another form', async () => {
    expect(await isPassword('x', '')).toBe(false);
    expect(await isPassword('x', '$2b$12$abcdefghijklmnopqrstuv')).toBe(false);
  });
});

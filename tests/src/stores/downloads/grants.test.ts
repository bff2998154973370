// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const grant = (at = Date.now()) => {
  return { at, isRewarded: true, isLogged: false, intent: null, provider: 'gpt' as const, notice: null };
};

/** A separate tab with empty memory. */
async function open() {
  vi.resetModules();
  return import('#src/stores/downloads/grants.ts');
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe('a stored grant', () => {
  it('survives next to an invalid entry', async () => {
    localStorage.setItem('downloads', JSON.stringify({ 7: grant(), 8: { at: 'x' }, 9: null }));
    const { findGrant, saveGrant } = await open();
    expect(findGrant('7')).toEqual(grant(findGrant('7')?.at));
    expect([findGrant('8'), findGrant('9')]).toEqual([undefined, undefined]);
    saveGrant('10', grant());
    const later = await open();
    expect([later.findGrant('7'), later.findGrant('10')]).not.toContain(undefined);
  });

  it.each(['{', '[]', '{"7":{"at":"x"}}', JSON.stringify({ 7: grant(Date.now() + 86_400_000) })])(
    'is none in %s',
    async (text) => {
      localStorage.setItem('downloads', text);
      expect((await open()).findGrant('7')).toBeUndefined();
    },
  );

  it('is removed by age when there are too many, whatever the ids are', async () => {
    const { findGrant, saveGrant } = await open();
    const now = Date.now();
    for (let index = 0; index <= 100; index += 1)
      saveGrant(String(1_000 - index), grant(now - 1_000 + index));
    expect(findGrant('1000')).toBeUndefined();
    expect(findGrant('999')).toBeDefined();
    expect(findGrant('900')).toBeDefined();
  });

  it.each([
    ['forbidden', ['getItem', 'setItem', 'removeItem'] as const],
    ['full', ['setItem'] as const],
  ])('lasts as long as the page where storage is %s', async (_, methods) => {
    for (const method of methods) {
      vi.spyOn(localStorage, method).mockImplementation(() => {
        throw new DOMException('not here', 'SecurityError');
      });
    }
    const { findGrant, saveGrant, dropGrant } = await open();
    saveGrant('7', grant());
    saveGrant('8', grant());
    expect([findGrant('7'), findGrant('8')]).not.toContain(undefined);
    dropGrant('7');
    expect(findGrant('7')).toBeUndefined();
    expect(findGrant('8')).toBeDefined();
  });
});

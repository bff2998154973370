// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listStored, parseStored, readStored, readText, writeStored } from '#src/browser/stored.ts';

const same = (stored: unknown) => stored;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

describe('a stored value', () => {
  it.each([{ a: [1, 'あ'] }, 'text', 0, false, []])('is read as it was written: %j', (value) => {
    expect(writeStored('key', value)).toBe(true);
    expect(readStored('key', same)).toEqual(value);
  });

  it('is in the area that is named', () => {
    writeStored('key', 1, 'sessionStorage');
    expect([readStored('key', same), readStored('key', same, 'sessionStorage')]).toEqual([null, 1]);
    expect([readText('key'), readText('key', 'sessionStorage')]).toEqual(['', '1']);
  });

  it('is removed by null', () => {
    writeStored('key', 1);
    expect(writeStored('key', null)).toBe(true);
    expect(localStorage).toHaveLength(0);
  });

  it.each(['', '{', 'undefined', 'text'])('is null where storage holds %j', (text) => {
    localStorage.setItem('key', text);
    expect(readStored('key', same)).toBeNull();
    expect(parseStored(text, same)).toBeNull();
    expect(readText('key')).toBe(text);
  });

  it('is found by the prefix of its key', () => {
    for (const key of ['draft:a', 'draft:b', 'other']) writeStored(key, 1);
    expect(listStored('draft:').toSorted()).toEqual(['a', 'b']);
    expect(listStored('draft:', 'sessionStorage')).toEqual([]);
  });
});

it('a full storage keeps what it has and says so', () => {
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => '1', setItem });
  expect(writeStored('key', 2)).toBe(false);
  expect(readStored('key', same)).toBe(1);
});

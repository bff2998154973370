// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { readStoredCertificates, storeCertificate } from '#src/stores/certificates/certificates.ts';

const make = (id: string) => ({ id, issued_at: '2026-11-23T08:00:00Z', sound_title: '雨', artist: '音の人' });

beforeEach(() => localStorage.clear());

it('keeps each certificate once, newest first, and the newest 500', () => {
  for (const id of ['a', 'b', 'a']) storeCertificate(make(id));
  expect(readStoredCertificates().map(({ id }) => id)).toEqual(['a', 'b']);
  for (let index = 0; index < 500; index += 1) storeCertificate(make(String(index)));
  const ids = readStoredCertificates().map(({ id }) => id);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, '499', '0']);
});

it('leaves out what it cannot read', () => {
  localStorage.setItem('certificates', JSON.stringify([{ id: 1 }, null, make('a'), 'x']));
  expect(readStoredCertificates()).toEqual([make('a')]);
  for (const text of ['{}', 'null', '[', '7']) {
    localStorage.setItem('certificates', text);
    expect(readStoredCertificates(), text).toEqual([]);
  }
});

it('does nothing when storage is denied', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied });
  storeCertificate(make('a'));
  expect(readStoredCertificates()).toEqual([]);
  vi.unstubAllGlobals();
});

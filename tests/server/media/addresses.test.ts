import { parse } from 'content-disposition';
import { describe, expect, test } from 'vitest';
import { toAttachment, toDownloadName } from '#server/media/download-names.ts';
import { createFileUrls } from '#server/media/file-urls.ts';
import { createSignatures } from '#server/media/signatures.ts';

const SECRET = new Uint8Array(32).fill(1);
const HOUR_MS = 3_600_000;

function at(start: number) {
  let now = start;
  const signatures = createSignatures(SECRET, () => now);
  return { signatures, pass: (ms: number) => void (now += ms) };
}

describe('signatures', () => {
  test('are valid for their purpose, sound and time', () => {
    const { signatures, pass } = at(1_000_000);
    const query = new URLSearchParams(signatures.sign('play', 'a', HOUR_MS));
    expect(signatures.check('play', 'a', query)).toBe('valid');
    expect(signatures.check('download', 'a', query)).toBe('invalid');
    expect(signatures.check('play', 'b', query)).toBe('invalid');
    pass(HOUR_MS - 1);
    expect(signatures.check('play', 'a', query)).toBe('valid');
    pass(1);
    expect(signatures.check('play', 'a', query)).toBe('expired');
  });

  test.each([
    ['a later end', (query: URLSearchParams) => query.set('expires', '9999999999')],
    [
      'another character',
      (query: URLSearchParams) => query.set('signature', `A${query.get('signature')?.slice(1)}`),
    ],
    ['no signature', (query: URLSearchParams) => query.delete('signature')],
    ['no end', (query: URLSearchParams) => query.delete('expires')],
    ['a shortened signature', (query: URLSearchParams) => query.set('signature', 'AAAA')],
  ])('are worth nothing with %s', (_, tamper) => {
    const { signatures } = at(1_000_000);
    const query = new URLSearchParams(signatures.sign('play', 'a', HOUR_MS));
    tamper(query);
    expect(signatures.check('play', 'a', query)).toBe('invalid');
  });

  test('cannot be moved between two pairs with equal concatenation', () => {
    const { signatures } = at(0);
    const query = new URLSearchParams(signatures.sign('play', 'a","1', HOUR_MS));
    expect(signatures.check('play', 'a', query)).toBe('invalid');
  });

  test('of another secret are invalid', () => {
    const query = new URLSearchParams(
      createSignatures(new Uint8Array(32).fill(2)).sign('play', 'a', HOUR_MS),
    );
    expect(createSignatures(SECRET).check('play', 'a', query)).toBe('invalid');
  });

  test('of the previous secret are valid, and new ones are of the first', () => {
    const before = new Uint8Array(32).fill(2);
    const both = createSignatures([SECRET, before]);
    const toQuery = (signatures: typeof both) => new URLSearchParams(signatures.sign('play', 'a', HOUR_MS));
    expect(both.check('play', 'a', toQuery(createSignatures(before)))).toBe('valid');
    expect(both.check('play', 'b', toQuery(createSignatures(before)))).toBe('invalid');
    expect(createSignatures(SECRET).check('play', 'a', toQuery(both))).toBe('valid');
  });
});

describe('file addresses', () => {
  const urls = createFileUrls(createSignatures(SECRET, () => 0));
  const sound = { id: 's1', audio_key: 'abcdef0123456789', audio_mime: 'audio/mpeg', is_published: true };

  test('name a picture by its smallest size', () => {
    expect(urls.picture('k', 'avatar')).toBe('/media/pictures/k/96.webp');
    expect(urls.picture(null, 'avatar')).toBeNull();
  });

  test('sign private sounds and not public ones', () => {
    expect(urls.audio(sound)).toBe('/media/sounds/s1/abcdef01.mp3');
    expect(urls.audio({ ...sound, audio_mime: 'audio/mp4' })).toBe('/media/sounds/s1/abcdef01.m4a');
    expect(urls.audio({ ...sound, is_published: false })).toMatch(
      /^\/media\/sounds\/s1\/abcdef01\.mp3\?expires=3600&signature=[\w-]{43}$/,
    );
  });

  test('sign every download, for ten minutes', () => {
    expect(urls.download({ id: 's1', is_published: true })).toMatch(
      /^\/media\/downloads\/s1\?expires=600&signature=[\w-]{43}$/,
    );
  });

  test('name this host when the web client lives on another', () => {
    expect(createFileUrls(createSignatures(SECRET), 'https://api.example').picture('k', 'logo')).toBe(
      'https://api.example/media/pictures/k/240.webp',
    );
  });
});

describe('download names', () => {
  test.each([
    ['雨音', 'なぎ', '雨音 - なぎ.mp3'],
    ['', 'なぎ', 'Untitled - なぎ.mp3'],
    [' ', '', 'Untitled.mp3'],
    ['a/b\\c:d*e?"<f>|', 'x', 'a_b_c_d_e___f__ - x.mp3'],
    ['line\r\nbreak\0\u001b[31m', 'x', 'line break[31m - x.mp3'],
    ['\u202e3pm.exe', 'x', '3pm.exe - x.mp3'],
    ['half \ud83d pair', 'x', 'half � pair - x.mp3'],
    ['..', '..', 'Untitled.mp3'],
    ['.hidden', 'x', 'hidden - x.mp3'],
  ])('%j by %j is %j', (title, artist, name) => {
    expect(toDownloadName(title, artist, 'mp3')).toBe(name);
  });

  test('are at most 255 bytes, with their ending', () => {
    const name = toDownloadName('曲'.repeat(100), 'なぎ', 'mp3');
    expect(name).toBe(`${'曲'.repeat(83)}.mp3`);
  });

  test('are sent as ASCII and as UTF-8', () => {
    const header = toAttachment('雨音 "1" - なぎ.mp3');
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=utf-8''/i);
    expect(parse(header).parameters['filename']).toBe('雨音 "1" - なぎ.mp3');
  });
});

import { describe, expect, test } from 'vitest';
import { isNoneMatch, parseRange, pickEncoding } from '#server/web/conditions.ts';
import { parseTarget } from '#server/web/targets.ts';

const TAG = '"tag"';
const whole = { state: 'whole' };
const beyond = { state: 'beyond' };
const part = (start: number, end: number) => ({ state: 'part', start, end });

describe('parseRange of 10 bytes', () => {
  test.each([
    [undefined, whole],
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-', part(0, 9)],
    ['bytes=2-5', part(2, 5)],
    ['bytes=5-99', part(5, 9)],
    ['bytes=9-9', part(9, 9)],
    ['bytes=-3', part(7, 9)],
    ['bytes=-99', part(0, 9)],
    ['BYTES=1-2', part(1, 2)],
    ['bytes=10-', beyond],
    ['bytes=10-20', beyond],
    ['bytes=-0', beyond],
    ['bytes=999999999999999-', beyond],
    ['bytes=0-,0-', whole],
    [`bytes=${'0-,'.repeat(1_000)}0-`, whole],
    ['bytes=5-2', whole],
    ['bytes=-', whole],
    ['bytes=a-b', whole],
    ['bytes=--1', whole],
    ['lines=1-2', whole],
    ['bytes=1-2 3', whole],
  ])('%s', (range, result) => {
    expect(parseRange(range, undefined, 10, TAG)).toEqual(result);
  });

  test('applies only when If-Range matches the present bytes', () => {
    expect(parseRange('bytes=1-2', TAG, 10, TAG)).toEqual(part(1, 2));
    expect(parseRange('bytes=1-2', '"old"', 10, TAG)).toEqual(whole);
    expect(parseRange('bytes=1-2', `W/${TAG}`, 10, TAG)).toEqual(whole);
    expect(parseRange('bytes=1-2', 'Fri, 20 Nov 2026 00:00:00 GMT', 10, TAG)).toEqual(whole);
  });

  test('has no range of an empty body', () => {
    expect(parseRange('bytes=0-', undefined, 0, TAG)).toEqual(beyond);
  });
});

describe('isNoneMatch', () => {
  test.each([
    [undefined, false],
    ['"tag"', true],
    ['W/"tag"', true],
    ['"a", W/"tag"', true],
    ['*', true],
    ['"other"', false],
    ['tag', false],
  ])('%s', (header, result) => {
    expect(isNoneMatch(header, TAG)).toBe(result);
    expect(isNoneMatch(header, `W/${TAG}`)).toBe(result);
  });
});

describe('pickEncoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['BR;Q=1.0', 'br'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=nonsense', 'identity'],
    ['deflate', 'identity'],
  ])('%s', (header, encoding) => {
    expect(pickEncoding(header)).toBe(encoding);
  });
});

describe('parseTarget', () => {
  test.each([
    ['/', '/', ''],
    ['/sounds', '/sounds', ''],
    ['/sounds/', '/sounds/', ''],
    ['/sounds?a=/../b', '/sounds', 'a=/../b'],
    ['/_astro/a.b-c_d.js', '/_astro/a.b-c_d.js', ''],
    ['/%73ounds', '/sounds', ''],
    ['/artist/%E9%9B%A8', '/artist/%E9%9B%A8', ''],
    ['/artist/%e9%9b%a8', '/artist/%E9%9B%A8', ''],
    ['/.well-known/x', '/.well-known/x', ''],
    ['http://elsewhere.test/sounds?a=1', '/sounds', 'a=1'],
    ['/a?', '/a', ''],
  ])('%s is %s', (url, path, query) => {
    expect(parseTarget(url)).toEqual({ path, query });
  });

  test.each([
    '',
    '*',
    '//',
    '//api/operator',
    '/a//b',
    '/./a',
    '/a/..',
    '/a/../b',
    '/%2e%2e/a',
    '/a/%2E/b',
    '/a%2fb',
    '/a%5Cb',
    '/a\\b',
    '/a%00',
    '/%',
    '/%zz',
    '/%ff',
    '/%c0%af',
    'a/b',
    'ftp://x/y',
    'http://x',
    'http:/x',
  ])('%j is ambiguous', (url) => {
    expect(parseTarget(url)).toBeUndefined();
  });
});

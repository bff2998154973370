import { describe, expect, it } from 'vitest';
import { toFieldErrors } from '#src/api/field-errors.ts';

describe('the messages of an error body', () => {
  it.each<[string, unknown, ...string[]]>([
    ['a text', { email: 'taken' }, 'email: taken'],
    ['several texts', { email: ['bad', 'worse'] }, 'email: bad', 'email: worse'],
    ['a wrapped object', { errors: { email: ['使われています。'] } }, 'email: 使われています。'],
    ['a wrapped message', { error: { message: '混雑中です。', code: 'busy' } }, 'detail: 混雑中です。'],
    ['errors of no field', { non_field_errors: ['一致しません。'] }, 'non_field_errors: 一致しません。'],
    [
      'a list of objects that name their field',
      { errors: [{ field: 'email', message: 'taken', code: 7 }, { detail: 'closed' }] },
      'email: taken',
      'detail: closed',
    ],
    [
      'a list of objects with a path',
      { detail: [{ loc: ['body', 'password'], msg: 'too short', type: 'value_error' }] },
      'password: too short',
    ],
    ['a list of objects in one field', { email: [{ message: 'taken', code: 'unique' }] }, 'email: taken'],
    ['a nested field', { profile: { bio: ['長すぎます。'] } }, 'bio: 長すぎます。'],
    ['an entry of a list', { sub_genres: { '0': ['不正です。'] } }, 'sub_genres: 不正です。'],
    ['a list with gaps', { sub_genres: [['不正です。'], {}, null] }, 'sub_genres: 不正です。'],
    ['a field of an entry', { links: { '3': { url: ['長い。'] } } }, 'url: 長い。'],
    ['an entry as a whole', { links: [{ non_field_errors: ['二重です。'] }] }, 'links: 二重です。'],
    ['a list in a list', { rows: { '0': { '1': [{ '2': 'だめ。' }] } } }, 'rows: だめ。'],
    ['a wrapper in a field', { email: { errors: ['taken'] } }, 'email: taken'],
    ['fields in a detail', { detail: { email: { '0': 'taken' } } }, 'email: taken'],
    ['entries of a detail', { detail: { '0': ['closed'] } }, 'detail: closed'],
    ['errors of no field in a wrapper', { errors: { non_field_errors: ['no'] } }, 'non_field_errors: no'],
    ['numbered entries', { '0': ['closed'] }, 'detail: closed'],
    ['entries of the body', [{ email: ['taken'] }, {}], 'email: taken'],
    ['a bare list', ['一つ目', '二つ目'], 'detail: 一つ目', 'detail: 二つ目'],
    ['a message with a code', { detail: '期限切れです。', code: 'invalid' }, 'detail: 期限切れです。'],
    ['a field that is called code', { code: ['違います。'] }, 'code: 違います。'],
  ])('are found in %s', (_, body, ...found) => {
    expect(toFieldErrors(body).map(({ key, message }) => `${key}: ${message}`)).toEqual(found);
  });

  it.each([
    ['HTML', '<html><h1>Bad Gateway</h1></html>'],
    ['HTML after other text', 'Error: <pre>at x.js:1</pre>'],
    ['HTML in a field', { detail: '<!DOCTYPE html><title>500</title>' }],
    ['JSON that was cut', '{"detail": "アクセ'],
    ['a list that was cut', '[{"email": "bad"'],
    ['text that was cut', '"detail'],
    ['no text', '   '],
    ['a long text', 'Traceback '.repeat(100)],
    ['null', null],
    ['a number', 500],
    ['a nested number', { deep: { a: 1 } }],
  ])('leave out %s', (_, body) => {
    expect(toFieldErrors(body)).toEqual([]);
  });

  it.each(['3 < 5 です。', '[必須] 入力してください。', '{name} は使えません。'])('keep %s', (text) => {
    expect(toFieldErrors(text)).toEqual([{ key: 'detail', message: text }]);
  });

  it('are bounded in depth, number and length', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level += 1) deep = { a: deep };
    expect(toFieldErrors(deep)).toEqual([]);
    expect(toFieldErrors({ email: Array.from({ length: 1_000 }, (_, at) => `no. ${at}`) })).toHaveLength(100);
    const [long] = toFieldErrors({ bio: '長'.repeat(10_000) });
    expect(long?.message).toHaveLength(500);
    expect(long?.message.endsWith('…')).toBe(true);
    expect(toFieldErrors({ ['k'.repeat(10_000)]: 'no' })[0]?.key).toHaveLength(60);
    expect(toFieldErrors({ a: { b: { c: [{ d: { '0': { e: ['bottom'] } } }] } } })).toHaveLength(1);
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at, { '0': ['no'] }]));
    expect(toFieldErrors({ sub_genres: wide })).toHaveLength(100);
  });
});

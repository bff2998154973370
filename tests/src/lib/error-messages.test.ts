import { describe, expect, it } from 'vitest';
import { ApiError, toFieldErrors } from '../../../contract/errors.ts';
import { toErrorMessages, toKeyedMessages } from '../../../src/lib/error-messages.ts';

describe('what a person is told of a call that failed', () => {
  it('is every value of the reply, in its order (spec §8)', () => {
    const fields = toFieldErrors({
      username: ['使われています。', '短すぎます。'],
      detail: '全体の問題です。',
    });
    expect(toErrorMessages(new ApiError(400, fields))).toEqual([
      '使われています。',
      '短すぎます。',
      '全体の問題です。',
    ]);
  });

  it.each([
    [1, '1秒後に'],
    [59.2, '60秒後に'],
    [60, '1分後に'],
    [61, '2分後に'],
    [undefined, '時間をおいて、'],
  ])('after too many attempts says when to try again: %s s', (retryAfterSec, wait) => {
    const error = new ApiError(429, [], retryAfterSec === undefined ? {} : { retryAfterSec });
    expect(toErrorMessages(error)).toEqual([`操作の回数が多すぎます。${wait}もう一度お試しください。`]);
  });

  it('is never empty and never a technical word: no answer, a proxy without a reason, a fault of ours', () => {
    expect(toErrorMessages(new ApiError(0, [{ key: 'detail', message: 'Failed to fetch' }]))).toEqual([
      'サーバーに接続できませんでした。通信の状態を確かめて、もう一度お試しください。',
    ]);
    expect(toErrorMessages(new ApiError(502, toFieldErrors('')))[0]).toMatch(/接続できません/);
    expect(toErrorMessages(new ApiError(502, toFieldErrors('<html><h1>Bad Gateway</h1></html>')))).toEqual([
      'サーバーに接続できませんでした。通信の状態を確かめて、もう一度お試しください。',
    ]);
    expect(toErrorMessages(new ApiError(403, []))[0]).toMatch(/うまくいきません/);
    expect(toErrorMessages(new TypeError('x is undefined'))[0]).toMatch(/^問題が起きました/);
  });
});

describe('what is told of a change that the host refused', () => {
  it('is one message for each key of the reply (spec §8)', () => {
    const fields = toFieldErrors({ bio: ['長すぎます。', '使えない文字があります。'], detail: 'だめです。' });
    expect(toKeyedMessages(new ApiError(400, fields))).toEqual([
      'bio: 長すぎます。 使えない文字があります。',
      'detail: だめです。',
    ]);
  });

  it('has no key where the host said nothing readable', () => {
    expect(toKeyedMessages(new ApiError(503, []))).toEqual(toErrorMessages(new ApiError(503, [])));
    const lost = new ApiError(0, [{ key: 'detail', message: 'Failed to fetch' }]);
    expect(toKeyedMessages(lost)).toEqual(toErrorMessages(lost));
  });
});

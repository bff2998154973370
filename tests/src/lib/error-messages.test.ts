import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { toFieldErrors } from '#src/api/field-errors.ts';
import { toErrorMessages, toKeyedMessages } from '#src/lib/error-messages.ts';

describe('the message for a failed call', () => {
  it('contains every value of the reply, in order (spec §8)', () => {
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
  ])('says when to retry after too many attempts: %s s', (retryAfterSec, wait) => {
    const error = new ApiError(429, [], retryAfterSec === undefined ? {} : { retryAfterSec });
    expect(toErrorMessages(error)).toEqual([`操作の回数が多すぎます。${wait}もう一度お試しください。`]);
  });

  it.each([
    ['no reply while online', new ApiError(0, []), true, /^サーバーに接続できませんでした。通信の状態/],
    ['no reply while offline', new ApiError(0, []), false, /^インターネットに接続していません/],
    ['a fault of the server', new ApiError(500, []), true, /^サーバーで問題が起きています。時間をおいて/],
    ['a call that the server lacks', new ApiError(501, []), true, /^サーバーで問題が起きています/],
    ['a proxy', new ApiError(502, toFieldErrors('<h1>Bad Gateway</h1>')), true, /^サーバーで問題/],
    ['a server that says when', new ApiError(503, [], { retryAfterSec: 20 }), true, /20秒後に/],
    [
      'a reply that makes no sense',
      new ApiError(502, [], { kind: 'unexpected-reply' }),
      true,
      /^サーバーで問題/,
    ],
    ['a gateway that gave up', new ApiError(504, []), true, /時間がかかっています/],
    ['a request that took too long', new ApiError(408, []), true, /時間がかかっています/],
    [
      'a browser that gave up',
      new ApiError(0, [], { cause: new DOMException('signal timed out', 'TimeoutError') }),
      true,
      /時間がかかっています/,
    ],
    ['a refusal without a reason', new ApiError(403, []), true, /^うまくいきませんでした/],
    ['a fault of ours', new TypeError('x is undefined'), true, /^問題が起きました/],
  ])('depends on the cause: %s', (_, error, isOnline, message) => {
    vi.stubGlobal('navigator', { onLine: isOnline });
    const [said, ...others] = toErrorMessages(error);
    vi.unstubAllGlobals();
    expect(said).toMatch(message);
    expect(others).toEqual([]);
    const isAboutLine = error instanceof ApiError && error.status === 0 && !/時間がかか/.test(said ?? '');
    expect(/通信の状態|接続を確かめ/.test(said ?? '')).toBe(isAboutLine);
  });

  it('contains no technical term of the browser', () => {
    const error = new ApiError(0, [{ key: 'detail', message: 'Failed to fetch' }]);
    expect(toErrorMessages(error)).toEqual([
      'サーバーに接続できませんでした。通信の状態を確かめて、もう一度お試しください。',
    ]);
  });
});

describe('the messages for a refused change', () => {
  it('are one for each key of the reply (spec §8)', () => {
    const fields = toFieldErrors({ bio: ['長すぎます。', '使えない文字があります。'], detail: 'だめです。' });
    expect(toKeyedMessages(new ApiError(400, fields))).toEqual([
      'bio: 長すぎます。 使えない文字があります。',
      'detail: だめです。',
    ]);
  });

  it('name the field of a nested reply once, with each message once and of bounded length', () => {
    const fields = toFieldErrors({
      sub_genres: { '0': ['不正です。'], '2': ['不正です。', '多すぎます。'] },
    });
    expect(toKeyedMessages(new ApiError(400, fields))).toEqual(['sub_genres: 不正です。 多すぎます。']);
    const many = toFieldErrors({ bio: Array.from({ length: 100 }, (_, at) => `${at}`.repeat(100)) });
    expect(toKeyedMessages(new ApiError(400, many))[0]).toHaveLength(500);
  });

  it('have no key where the host sent nothing readable', () => {
    expect(toKeyedMessages(new ApiError(503, []))).toEqual(toErrorMessages(new ApiError(503, [])));
    const lost = new ApiError(0, [{ key: 'detail', message: 'Failed to fetch' }]);
    expect(toKeyedMessages(lost)).toEqual(toErrorMessages(lost));
  });
});

// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { MEMBER, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { forgetSession } from '#src/stores/session/session.ts';
import { attempt } from '#src/stores/shared/attempt.ts';

useStores({ member: MEMBER });

const refused = new ApiError(409, [{ key: 'detail', message: '先に決まりました。' }]);
const isDone = (error: unknown) => error instanceof ApiError && error.status === 409;

it('tells what was done, and what was not', async () => {
  expect(await attempt(() => Promise.resolve(), { done: '保存しました' })).toBe(true);
  expect(await attempt(() => Promise.resolve())).toBe(true);
  expect(await attempt(() => Promise.reject(refused), { done: '保存しました' })).toBe(false);
  expect(await attempt(() => Promise.reject(refused), { toasts: 'keyed', isDone })).toBe(true);
  expect(showToast.mock.calls).toEqual([
    ['success', '保存しました'],
    ['error', '先に決まりました。'],
    ['error', 'detail: 先に決まりました。'],
  ]);
});

it('says nothing when the password prompt is closed', async () => {
  const cancelled = new ApiError(403, [], { kind: 'cancelled' });
  expect(await attempt(() => Promise.reject(cancelled), { isDone })).toBe(false);
  expect(showToast).not.toHaveBeenCalled();
});

it.each([
  ['a success', () => Promise.resolve()],
  ['a failure', () => Promise.reject(refused)],
])('tells nobody of %s when the member has left', async (_, settle) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let given: AbortSignal | undefined;
  const attempted = attempt(
    (signal) => {
      given = signal;
      return promise.then(settle);
    },
    { done: '保存しました', isDone },
  );
  forgetSession();
  expect(given?.aborted).toBe(true);
  resolve();
  expect(await attempted).toBe(false);
  expect(showToast).not.toHaveBeenCalled();
});

// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';

vi.mock('tus-js-client', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

import { loadResumable, sendResumable } from '#src/api/upload-resumable.ts';
import { createRetryPolicy } from '#src/stores/uploads/retry-policy.ts';

it('waits for the connection where the resumable-upload code could not be loaded', async () => {
  loadResumable();
  const error = await sendResumable(new File(['x'], '曲.mp3'), {
    uploadId: '',
    signal: new AbortController().signal,
    onStanding: () => undefined,
    onProgress: () => undefined,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(createRetryPolicy().toPause(error)).toMatchObject({ cause: 'offline' });
});

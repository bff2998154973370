// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { ApiError } from '../../../contract/errors.ts';

vi.mock('tus-js-client', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

import { loadResumable, sendResumable } from '../../../src/api/upload-resumable.ts';
import { toErrorMessages } from '../../../src/lib/error-messages.ts';
import { createPatience } from '../../../src/stores/sound-upload-patience.ts';

it('what sends in pieces and could not be loaded is no lost connection: only loading the page anew helps', async () => {
  loadResumable();
  const error = await sendResumable(new File(['x'], '曲.mp3'), {
    uploadId: '',
    signal: new AbortController().signal,
    onStanding: () => undefined,
    onProgress: () => undefined,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ApiError);
  expect(createPatience().toPause(error)).toBeNull();
  expect(toErrorMessages(error)).toEqual([expect.stringContaining('ページを読み込み直して')]);
});

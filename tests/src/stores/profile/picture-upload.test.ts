// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { updateProfilePicture } from '#contract/accounts/profile.ts';
import { uploadForm, usePreviews, useStores } from '../../support/stores.ts';

vi.mock('#src/api/upload.ts', () => ({ uploadForm }));

import { createPictureUpload } from '#src/stores/profile/picture-upload.ts';

const PNG = new File(['pixels'], '写真.PNG', { type: 'image/png' });
const onTaken = vi.fn<() => void>();
const open = () => createPictureUpload({ endpoint: updateProfilePicture, part: 'profile_picture', onTaken });

useStores();
const previews = usePreviews();
beforeEach(() => void onTaken.mockReset());

describe('a picture upload', () => {
  it('has a preview, is sent under the name of its part with its progress, and leaves nothing behind', async () => {
    const { $upload, choose, send } = open();
    const seen: unknown[] = [];
    uploadForm.mockImplementation(async (_, form, { onProgress }) => {
      expect([...form.keys()]).toEqual(['profile_picture']);
      expect((form.get('profile_picture') as File).name).toBe('写真.PNG');
      for (const share of [0.5, 1]) onProgress(share);
    });
    choose(PNG);
    expect($upload.get()).toMatchObject({ state: 'chosen', preview: 'blob:1', problem: null });
    $upload.listen((state) => void seen.push('share' in state ? state.share : state.state));
    await send();
    expect(seen).toEqual([0, 0.5, 1, 'empty']);
    expect(onTaken).toHaveBeenCalledOnce();
    expect(previews.size).toBe(0);
  });

  it.each([
    ['動画.gif', 10, /\.jpg/],
    ['写真.png.exe', 10, /\.jpg/],
    ['空.jpg', 0, /空/],
    ['大.jpeg', 10 * 1024 * 1024 + 1, /10MB/],
  ])('%s is rejected before it is sent, and the previous picture stays', (name, size, reason) => {
    const { $upload, choose } = open();
    const file = new File([], name);
    Object.defineProperty(file, 'size', { value: size });
    choose(PNG);
    choose(file);
    expect($upload.get()).toMatchObject({ state: 'chosen', file: PNG, preview: 'blob:1' });
    expect($upload.get()).toHaveProperty('problem', expect.stringMatching(reason));
  });

  it('stays chosen when it is refused, shows the reason, and can be resent', async () => {
    const { $upload, choose, send } = open();
    choose(PNG);
    uploadForm.mockRejectedValueOnce(
      new ApiError(400, [{ key: 'profile_picture', message: '画像ではありません。' }]),
    );
    await send();
    expect($upload.get()).toMatchObject({ state: 'chosen', file: PNG, problem: '画像ではありません。' });
    uploadForm.mockRejectedValueOnce(new ApiError(0, []));
    await send();
    expect($upload.get()).toMatchObject({ problem: expect.stringMatching(/接続/) });
    uploadForm.mockResolvedValueOnce();
    await send();
    expect(onTaken).toHaveBeenCalledOnce();
  });

  it('stops when it is cleared during the upload, and ignores the answer', async () => {
    const { $upload, choose, clear, send } = open();
    let answer: () => void = () => undefined;
    let signal: AbortSignal | undefined;
    uploadForm.mockImplementation((_, __, options) => {
      signal = options.signal;
      return new Promise((resolve) => (answer = resolve));
    });
    choose(PNG);
    const sending = send();
    clear();
    expect(signal?.aborted).toBe(true);
    answer();
    await sending;
    expect($upload.get()).toEqual({ state: 'empty', problem: null });
    expect(onTaken).not.toHaveBeenCalled();
    expect(previews.size).toBe(0);
  });

  it('is sent once, however often the button is pressed', async () => {
    const { choose, send } = open();
    uploadForm.mockResolvedValue();
    choose(PNG);
    await Promise.all([send(), send()]);
    expect(uploadForm).toHaveBeenCalledOnce();
  });
});

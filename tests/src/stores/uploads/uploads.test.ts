// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AUDIO_BYTES_MAX, AUDIO_PROBLEM } from '#contract/sounds/audio-files.ts';
import { ApiError } from '#contract/calls/errors.ts';
import type { SoundUpload } from '#src/stores/uploads/queue.ts';
import { MEMBER, refreshSounds, showAlert, showToast, uploadForm, useStores } from '../../support/stores.ts';

interface Sending {
  readonly form: FormData;
  readonly signal: AbortSignal;
  progress(share: number): void;
  succeed(): void;
  fail(error: unknown): void;
}

const { canPlayFile } = vi.hoisted(() => ({ canPlayFile: vi.fn<(file: File) => Promise<boolean>>() }));
vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast, showAlert }));
vi.mock('#src/stores/my-sounds/list.ts', () => ({ refreshSounds }));
vi.mock('#src/stores/my-sounds/playable.ts', () => ({ canPlayFile }));

import { forgetSession } from '#src/stores/session/session.ts';
import { $isUploading, $uploads, hasUnsafeUploads } from '#src/stores/uploads/queue.ts';
import { retryAllUploads, retryUpload } from '#src/stores/uploads/sending.ts';
import { addUploads, cancelUpload } from '#src/stores/uploads/uploads.ts';

let sendings: Sending[];

function mp3(name: string, sizeBytes = 1000, type = 'audio/mpeg'): File {
  const file = new File(['sound'], name, { type });
  Object.defineProperty(file, 'size', { value: sizeBytes });
  return file;
}
const states = () => $uploads.get().map(({ name, progress }) => `${name} ${progress.state}`);
const settle = () => new Promise((resolve) => setTimeout(resolve));
const add = async (...files: File[]) => {
  addUploads(files, '7');
  await settle();
};
const succeed = async (index: number) => {
  sendings[index]!.succeed();
  await settle();
};
const fail = async (index: number, error: ApiError) => {
  sendings[index]!.fail(error);
  await settle();
};
const three = () => add(mp3('一.mp3'), mp3('二.mp3'), mp3('三.mp3'));
const first = (): SoundUpload => $uploads.get()[0]!;

useStores({ member: MEMBER });
beforeEach(() => {
  for (const { id } of $uploads.get()) cancelUpload(id);
  sendings = [];
  canPlayFile.mockResolvedValue(true);
  uploadForm.mockImplementation((_, form, { signal, onProgress }) => {
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      sendings.push({ form, signal, progress: onProgress, succeed: () => resolve(), fail: reject });
    });
  });
});

describe('uploads to a host that accepts files in one piece', () => {
  it('are sent two at a time, each as the multipart of spec §7, and leave the queue with the toast of §8', async () => {
    await add(mp3('一.mp3'), mp3('二.mp3'), mp3('三.M4A', 1000, 'audio/x-m4a'));
    expect(states()).toEqual(['一.mp3 sending', '二.mp3 sending', '三.M4A waiting']);
    expect($isUploading.get()).toBe(true);
    expect(hasUnsafeUploads()).toBe(true);
    const { form } = sendings[0]!;
    expect([...form.keys()]).toEqual(['types', 'filename', 'file']);
    expect([form.get('types'), form.get('filename'), (form.get('file') as File).name]).toEqual([
      '7',
      '一.mp3',
      '一.mp3',
    ]);
    await succeed(0);
    expect(states()).toEqual(['二.mp3 sending', '三.M4A sending']);
    expect(showToast.mock.calls).toEqual([['success', 'サウンドがアップロードされました']]);
    expect(refreshSounds.mock.calls).toEqual([['7']]);
    for (const sending of sendings.slice(1)) sending.succeed();
    await settle();
    expect($uploads.get()).toEqual([]);
    expect($isUploading.get()).toBe(false);
    expect(hasUnsafeUploads()).toBe(false);
  });

  it('report the bytes sent and the speed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    await add(mp3('曲.mp3', 10_000));
    expect(first().progress).toEqual({ state: 'sending', sentBytes: 0, bytesPerSec: null });
    vi.advanceTimersByTime(1_000);
    sendings[0]!.progress(0.25);
    expect(first().progress).toEqual({ state: 'sending', sentBytes: 2_500, bytesPerSec: 2_500 });
    vi.advanceTimersByTime(1_000);
    sendings[0]!.progress(0.75);
    expect(first().progress).toEqual({ state: 'sending', sentBytes: 7_500, bytesPerSec: 3_750 });
  });

  it.each([
    ['効果.wav', 'audio/wav'],
    ['効果.mp3', 'audio/wav'],
    ['効果.wav', 'audio/mpeg'],
    ['効果.mp3.exe', 'audio/mpeg'],
    ['効果.mp3', ''],
    ['効果.mp3', 'audio/mpeg3'],
    ['効果.mp3', 'audio/mp4'],
    ['効果.m4a', 'video/mp4'],
  ])('%s of type %j is rejected by the alert of spec §8, and nothing is sent', async (name, type) => {
    await add(mp3(name, 1000, type));
    expect(showAlert.mock.calls).toEqual([[AUDIO_PROBLEM]]);
    expect($uploads.get()).toEqual([]);
    expect(sendings).toEqual([]);
  });

  it.each([
    ['効果.m4a', 'audio/mp4', 'audio/x-m4a'],
    ['効果.m4a', 'audio/m4a', 'audio/x-m4a'],
    ['効果.mp3', 'audio/mp3', 'audio/mpeg'],
  ])('%s, for which the system says %s, is sent as %s, which every host knows', async (name, type, sent) => {
    await add(mp3(name, 1000, type));
    expect(showAlert).not.toHaveBeenCalled();
    const file = sendings[0]!.form.get('file') as File;
    expect([file.name, file.type, await file.text()]).toEqual([name, sent, 'sound']);
  });

  it('continue when others of the same choice are rejected, which the alert names', async () => {
    await add(mp3('良い.mp3'), mp3('悪い.wav'));
    expect(showAlert.mock.calls).toEqual([[`${AUDIO_PROBLEM}\n\n悪い.wav`]]);
    expect(states()).toEqual(['良い.mp3 sending']);
  });

  it('of another format are reported as such, not as damaged', async () => {
    canPlayFile.mockResolvedValue(false);
    const alac = readFileSync('tests/fixtures/audio/alac.m4a');
    addUploads([new File([alac], '損.m4a', { type: 'audio/x-m4a' })], '7');
    await expect
      .poll(() => first().progress)
      .toEqual({
        state: 'failed',
        reasons: [
          '「Apple Lossless（ALAC）」の形式には対応していません。MP3か、AACのM4Aに書き出してください。',
        ],
        canRetry: false,
      });
  });

  it('that are empty, too large, or not audio stay with the reason and are not sent', async () => {
    canPlayFile.mockImplementation(({ name }) => Promise.resolve(name !== '壊.mp3'));
    await add(mp3('空.mp3', 0), mp3('大.mp3', AUDIO_BYTES_MAX + 1), mp3('壊.mp3'));
    expect(sendings).toEqual([]);
    expect($uploads.get().map(({ progress }) => progress)).toEqual(
      [/空/, /100MB/, /再生できません/].map((reason) => {
        return { state: 'failed', reasons: [expect.stringMatching(reason)], canRetry: false };
      }),
    );
    expect($isUploading.get()).toBe(false);
    retryUpload(first().id);
    expect(states()[0]).toBe('空.mp3 failed');
  });

  it('that the host would refuse again stay with its message', async () => {
    await add(mp3('曲.mp3'));
    await fail(0, new ApiError(400, [{ key: 'file', message: '同じサウンドがあります。' }]));
    expect(first().progress).toEqual({
      state: 'failed',
      reasons: ['同じサウンドがあります。'],
      canRetry: false,
    });
    retryAllUploads();
    retryUpload(first().id);
    await settle();
    expect(sendings).toHaveLength(1);
  });

  it('that may succeed later can be retried without choosing again', async () => {
    await add(mp3('曲.mp3'));
    await fail(0, new ApiError(409, [{ key: 'file', message: '空きがありません。' }]));
    expect(first().progress).toEqual({ state: 'failed', reasons: ['空きがありません。'], canRetry: true });
    retryUpload(first().id);
    await settle();
    expect(sendings).toHaveLength(2);
    expect((sendings[1]!.form.get('file') as File).name).toBe('曲.mp3');
    await succeed(1);
    expect($uploads.get()).toEqual([]);
  });

  it('that fail for an unexpected reason stay, and can be retried', async () => {
    canPlayFile.mockRejectedValueOnce(new TypeError('unexpected'));
    await add(mp3('一.mp3'));
    expect(first().progress).toMatchObject({ state: 'failed', canRetry: true });
    expect(showToast).not.toHaveBeenCalled();
    retryUpload(first().id);
    await settle();
    await succeed(0);
    expect($uploads.get()).toEqual([]);
  });

  it('whose connection was lost are all retried together', async () => {
    await three();
    for (const index of [0, 1, 2]) await fail(index, new ApiError(0, []));
    expect(states()).toEqual(['一.mp3 failed', '二.mp3 failed', '三.mp3 failed']);
    retryAllUploads();
    await settle();
    expect(states()).toEqual(['一.mp3 sending', '二.mp3 sending', '三.mp3 waiting']);
  });

  it('stop when they are cancelled, and the next one begins', async () => {
    await three();
    cancelUpload(first().id);
    await settle();
    expect(sendings[0]!.signal.aborted).toBe(true);
    expect(states()).toEqual(['二.mp3 sending', '三.mp3 sending']);
    expect(showToast).not.toHaveBeenCalled();
    expect(refreshSounds).not.toHaveBeenCalled();
  });

  it('that are cancelled during processing cause a reload: the host may have accepted them', async () => {
    await add(mp3('一.mp3'));
    sendings[0]!.progress(1);
    cancelUpload(first().id);
    expect(refreshSounds.mock.calls).toEqual([['7']]);
  });

  it('stop with the session, and nothing of them remains for the next member', async () => {
    await three();
    forgetSession();
    await settle();
    expect($uploads.get()).toEqual([]);
    expect(sendings.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});

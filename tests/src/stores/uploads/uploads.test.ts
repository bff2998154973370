// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AUDIO_BYTES_MAX, AUDIO_PROBLEM } from '#contract/audio-files.ts';
import { ApiError } from '#contract/errors.ts';
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
    addUploads([mp3('一.mp3'), mp3('二.mp3'), mp3('三.M4A', 1000, 'audio/x-m4a')], '7');
    await settle();
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
    sendings[0]!.succeed();
    await settle();
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
    try {
      addUploads([mp3('曲.mp3', 10_000)], '7');
      await settle();
      expect(first().progress).toEqual({ state: 'sending', sentBytes: 0, bytesPerSec: null });
      vi.advanceTimersByTime(1_000);
      sendings[0]!.progress(0.25);
      expect(first().progress).toEqual({ state: 'sending', sentBytes: 2_500, bytesPerSec: 2_500 });
      vi.advanceTimersByTime(1_000);
      sendings[0]!.progress(0.75);
      expect(first().progress).toEqual({ state: 'sending', sentBytes: 7_500, bytesPerSec: 3_750 });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['効果.wav', 'audio/wav'],
    ['効果.mp3', 'audio/wav'],
    ['効果.wav', 'audio/mpeg'],
    ['効果.mp3.exe', 'audio/mpeg'],
    ['効果.mp3', ''],
  ])('%s of type %j is rejected by the alert of spec §8, and nothing is sent', async (name, type) => {
    addUploads([mp3(name, 1000, type)], '7');
    await settle();
    expect(showAlert.mock.calls).toEqual([[AUDIO_PROBLEM]]);
    expect($uploads.get()).toEqual([]);
    expect(sendings).toEqual([]);
  });

  it('continue when others of the same choice are rejected, which the alert names', async () => {
    addUploads([mp3('良い.mp3'), mp3('悪い.wav')], '7');
    await settle();
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
    addUploads([mp3('空.mp3', 0), mp3('大.mp3', AUDIO_BYTES_MAX + 1), mp3('壊.mp3')], '7');
    await settle();
    expect(sendings).toEqual([]);
    const reasons = $uploads.get().map(({ progress }) => progress);
    expect(reasons).toEqual([
      { state: 'failed', reasons: [expect.stringMatching(/空/)], canRetry: false },
      { state: 'failed', reasons: [expect.stringMatching(/100MB/)], canRetry: false },
      { state: 'failed', reasons: [expect.stringMatching(/再生できません/)], canRetry: false },
    ]);
    expect($isUploading.get()).toBe(false);
    retryUpload(first().id);
    expect(states()[0]).toBe('空.mp3 failed');
  });

  it('that the host would refuse again stay with its message', async () => {
    addUploads([mp3('曲.mp3')], '7');
    await settle();
    sendings[0]!.fail(new ApiError(400, [{ key: 'file', message: '同じサウンドがあります。' }]));
    await settle();
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
    addUploads([mp3('曲.mp3')], '7');
    await settle();
    sendings[0]!.fail(new ApiError(409, [{ key: 'file', message: '空きがありません。' }]));
    await settle();
    expect(first().progress).toEqual({ state: 'failed', reasons: ['空きがありません。'], canRetry: true });
    retryUpload(first().id);
    await settle();
    expect(sendings).toHaveLength(2);
    expect((sendings[1]!.form.get('file') as File).name).toBe('曲.mp3');
    sendings[1]!.succeed();
    await settle();
    expect($uploads.get()).toEqual([]);
  });

  it('whose connection was lost are all retried together', async () => {
    addUploads([mp3('一.mp3'), mp3('二.mp3'), mp3('三.mp3')], '7');
    await settle();
    for (let index = 0; index < 3; index += 1) {
      sendings[index]!.fail(new ApiError(0, []));
      await settle();
    }
    expect(states()).toEqual(['一.mp3 failed', '二.mp3 failed', '三.mp3 failed']);
    retryAllUploads();
    await settle();
    expect(states()).toEqual(['一.mp3 sending', '二.mp3 sending', '三.mp3 waiting']);
  });

  it('stop when they are cancelled, and the next one begins', async () => {
    addUploads([mp3('一.mp3'), mp3('二.mp3'), mp3('三.mp3')], '7');
    await settle();
    cancelUpload(first().id);
    await settle();
    expect(sendings[0]!.signal.aborted).toBe(true);
    expect(states()).toEqual(['二.mp3 sending', '三.mp3 sending']);
    expect(showToast).not.toHaveBeenCalled();
    expect(refreshSounds).not.toHaveBeenCalled();
  });

  it('that are cancelled during processing cause a reload: the host may have accepted them', async () => {
    addUploads([mp3('一.mp3')], '7');
    await settle();
    sendings[0]!.progress(1);
    cancelUpload(first().id);
    expect(refreshSounds.mock.calls).toEqual([['7']]);
  });

  it('stop with the session, and nothing of them remains for the next member', async () => {
    addUploads([mp3('一.mp3'), mp3('二.mp3'), mp3('三.mp3')], '7');
    await settle();
    forgetSession();
    await settle();
    expect($uploads.get()).toEqual([]);
    expect(sendings.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});

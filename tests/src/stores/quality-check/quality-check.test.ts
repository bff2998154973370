// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { AUDIO_BYTES_MAX, AUDIO_PROBLEM } from '#contract/sounds/audio-files.ts';
import { ApiError } from '#contract/calls/errors.ts';
import { TOO_FEW_FILES } from '#contract/accounts/quality-check.ts';
import {
  MEMBER,
  changeProfile,
  reloadProfile,
  showAlert,
  showToast,
  uploadForm,
  useStores,
} from '../../support/stores.ts';

vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showAlert, showToast }));
vi.mock('#src/stores/my-sounds/my-sounds.ts', () => ({ $soundTypes: { revalidate() {} } }));
vi.mock('#src/stores/profile/profile.ts', () => ({ changeProfile, reloadProfile }));

import {
  $hasUnsent,
  createQualityCheck,
  hasRefusal,
  qualityCheck,
} from '#src/stores/quality-check/quality-check.ts';
import { forgetSession, rememberUser } from '#src/stores/session/session.ts';

const mp3 = (name: string, bytes = 10, type = 'audio/mpeg') =>
  Object.defineProperty(new File(['x'], name, { type, lastModified: 1 }), 'size', { value: bytes });
const [ONE, TWO, THREE, FOUR] = ['一.mp3', '二.MP3', '三.mp3', '四.m4a'].map((name) =>
  mp3(name, 10, name.endsWith('m4a') ? 'audio/x-m4a' : 'audio/mpeg'),
) as [File, File, File, File];

useStores();

function openFilled() {
  const store = createQualityCheck();
  store.choose('file_1', ONE);
  store.choose('file_2', TWO);
  store.choose('file_3', THREE);
  for (const type of ['1', '2']) store.toggleType(type);
  store.agree(true);
  return store;
}
const errorsOf = ({ $application }: ReturnType<typeof createQualityCheck>) => {
  const application = $application.get();
  return application.state === 'editing' ? application.errors : 'sending';
};

describe('the files of an application', () => {
  it.each([
    ['音.wav', 'audio/wav'],
    ['音.mp3', 'application/x-msdownload'],
    ['音.mp3.exe', 'audio/mpeg'],
    ['音.mp3', 'audio/mp4'],
    ['音.m4a', 'audio/mp3'],
    ['音.m4a', 'video/mp4'],
    ['音.m4a', ''],
  ])('%s of type %s raises the alert and clears its slot (spec §5)', (name, type) => {
    const store = openFilled();
    store.choose('file_2', mp3(name, 10, type));
    expect(showAlert.mock.calls).toEqual([[AUDIO_PROBLEM]]);
    expect(Object.keys(store.$files.get())).toEqual(['file_1', 'file_3']);
  });

  it('carry the type that spec §5 names, also where the system has another name for it', async () => {
    uploadForm.mockResolvedValue(undefined);
    const store = openFilled();
    store.choose('file_1', mp3('音.M4A', 10, 'audio/mp4'));
    store.choose('file_2', mp3('音.m4a', 11, 'audio/m4a'));
    store.choose('file_3', mp3('音.mp3', 12, 'audio/mp3'));
    expect(showAlert).not.toHaveBeenCalled();
    await store.send('3');
    const form = uploadForm.mock.calls[0]?.[1] as FormData;
    const files = (['file_1', 'file_2', 'file_3'] as const).map((slot) => form.get(slot) as File);
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['音.M4A', 'audio/x-m4a'],
      ['音.m4a', 'audio/x-m4a'],
      ['音.mp3', 'audio/mpeg'],
    ]);
  });

  it.each([
    [0, /空/],
    [AUDIO_BYTES_MAX + 1, /100MB/],
  ])('one of %d bytes is rejected at its slot before anything is sent', (bytes, reason) => {
    const store = openFilled();
    store.choose('file_4', mp3('大.mp3', bytes));
    expect(store.$files.get()).not.toHaveProperty('file_4');
    expect(errorsOf(store)).toEqual({ file_4: expect.stringMatching(reason) });
    store.choose('file_4', mp3('大.mp3', AUDIO_BYTES_MAX));
    expect(errorsOf(store)).toEqual({});
    expect(store.$files.get()).toHaveProperty('file_4');
  });

  it('the same file in two slots is rejected, naming the first; its own slot accepts it again', () => {
    const store = openFilled();
    store.choose('file_4', mp3('一.mp3'));
    expect(errorsOf(store)).toEqual({ file_4: expect.stringContaining('1曲目') });
    store.choose('file_1', mp3('一.mp3'));
    expect(Object.keys(store.$files.get()).sort()).toEqual(['file_1', 'file_2', 'file_3']);
  });

  it('several dropped at once fill the slot and the empty ones after it, and no others', () => {
    const store = createQualityCheck();
    store.choose('file_5', THREE);
    store.choose('file_4', ONE, mp3('a.txt', 10, 'text/plain'), TWO, FOUR);
    expect(store.$files.get()).toEqual({ file_4: ONE, file_5: THREE, file_6: TWO });
    expect(showAlert).toHaveBeenCalledOnce();
    expect(showToast.mock.calls).toEqual([['error', expect.stringContaining('1個')]]);
  });

  it('belong to one member: the next member who logs in finds none', () => {
    rememberUser(MEMBER);
    qualityCheck.choose('file_1', ONE);
    expect($hasUnsent.get()).toBe(true);
    forgetSession();
    expect($hasUnsent.get()).toBe(false);
  });
});

describe('an application', () => {
  it('needs the first three slots, a type and the agreement; otherwise nothing is sent', async () => {
    const store = openFilled();
    store.remove('file_2');
    store.choose('file_4', FOUR);
    for (const type of ['1', '2']) store.toggleType(type);
    store.agree(false);
    await store.send('u1');
    expect(errorsOf(store)).toEqual({
      files: TOO_FEW_FILES,
      types: expect.any(String),
      agreement: expect.any(String),
    });
    store.choose('file_5', mp3('五.mp3'));
    store.toggleType('2');
    expect(Object.keys(errorsOf(store))).toEqual(['files', 'agreement']);
    store.choose('file_2', TWO);
    expect(Object.keys(errorsOf(store))).toEqual(['agreement']);
    expect(uploadForm).not.toHaveBeenCalled();
  });

  it('is the multipart of spec §7, reports its progress, and leaves nothing behind', async () => {
    const store = openFilled();
    store.choose('file_5', FOUR);
    store.open();
    const seen: unknown[] = [];
    uploadForm.mockImplementation(async ({ path }, form, { onProgress }) => {
      expect(path).toBe('/api/account/upload-quality-check/');
      expect([...form].map(([name, value]) => [name, value instanceof File ? value.name : value])).toEqual([
        ['file_1', '一.mp3'],
        ['file_2', '二.MP3'],
        ['file_3', '三.mp3'],
        ['file_5', '四.m4a'],
        ['user_id', 'u1'],
        ['types', '1'],
        ['types', '2'],
      ]);
      for (const share of [0.5, 1]) onProgress(share);
    });
    store.$application.listen((now) => void seen.push(now.state === 'sending' ? now : now.state));
    await store.send('u1');
    const sending = { state: 'sending', totalBytes: 40 };
    expect(seen).toEqual([
      { ...sending, share: 0 },
      { ...sending, share: 0.5 },
      { ...sending, share: 1 },
      'editing',
    ]);
    expect(store.$files.get()).toEqual({});
    expect(store.$isOpen.get()).toBe(false);
    expect(showToast.mock.calls).toEqual([['success', 'クオリティチェックが申請されました']]);
    expect(changeProfile).toHaveBeenCalledWith({ status: 'pending' });
    expect(reloadProfile).toHaveBeenCalledOnce();
  });

  it('that is refused shows each reason at its slot and as a toast, keeps the files, and can be resent', async () => {
    const store = openFilled();
    uploadForm.mockRejectedValueOnce(
      new ApiError(400, [
        { key: 'file_2', message: AUDIO_PROBLEM },
        { key: 'file_2', message: '音声ではありません。' },
        { key: 'user_id', message: '本人ではありません。' },
      ]),
    );
    await store.send('u1');
    const application = store.$application.get();
    expect(application).toMatchObject({
      errors: { file_2: `${AUDIO_PROBLEM}\n音声ではありません。` },
      problems: ['本人ではありません。'],
    });
    expect(application.state === 'editing' && hasRefusal(application)).toBe(true);
    expect(showToast.mock.calls.map(([, message]) => message)).toEqual([
      `file_2: ${AUDIO_PROBLEM}`,
      'file_2: 音声ではありません。',
      'user_id: 本人ではありません。',
    ]);
    expect(Object.values(store.$files.get())).toEqual([ONE, TWO, THREE]);

    uploadForm.mockRejectedValueOnce(new ApiError(0, []));
    await store.send('u1');
    expect(store.$application.get()).toMatchObject({ errors: {}, problems: [expect.stringMatching(/接続/)] });
    // The host may have accepted it, with only the answer lost.
    expect(reloadProfile).toHaveBeenCalledTimes(2);
    uploadForm.mockResolvedValueOnce();
    await store.send('u1');
    expect(changeProfile).toHaveBeenCalledOnce();
  });

  it('keeps types and agreement across a failure and a closed dialog, and clears them with the files', async () => {
    const store = openFilled();
    store.open();
    uploadForm.mockRejectedValueOnce(new ApiError(503, []));
    await store.send('u1');
    store.close();
    expect(store.$answers.get()).toEqual({ types: ['1', '2'], hasAgreed: true });
    uploadForm.mockResolvedValueOnce();
    await store.send('u1');
    expect(store.$answers.get()).toEqual({ types: [], hasAgreed: false });
  });

  it('stops when it is cancelled: the files stay, and a late answer has no effect', async () => {
    const store = openFilled();
    let answer: () => void = () => undefined;
    let signal: AbortSignal | undefined;
    uploadForm.mockImplementation((_, __, options) => {
      signal = options.signal;
      return new Promise((resolve) => (answer = resolve));
    });
    const sending = store.send('u1');
    await vi.waitFor(() => expect(signal).toBeDefined());
    store.remove('file_1');
    store.choose('file_1', FOUR);
    store.cancel();
    expect(signal?.aborted).toBe(true);
    answer();
    await sending;
    expect(store.$application.get()).toMatchObject({ state: 'editing', errors: {}, problems: [] });
    expect(Object.values(store.$files.get())).toEqual([ONE, TWO, THREE]);
    expect(showToast).not.toHaveBeenCalled();
  });

  it('is sent once, however often the button is pressed', async () => {
    const store = openFilled();
    uploadForm.mockResolvedValue();
    await Promise.all([store.send('u1'), store.send('u1')]);
    expect(uploadForm).toHaveBeenCalledOnce();
  });

  it('does not start with a file that has moved since: its slot asks for it again, the others stay', async () => {
    const store = openFilled();
    const gone = mp3('消えた.mp3');
    gone.slice = () =>
      ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as Blob;
    store.choose('file_2', gone);
    await store.send('u1');
    expect(uploadForm).not.toHaveBeenCalled();
    expect(errorsOf(store)).toEqual({ file_2: expect.stringContaining('読み込めません') });
    expect(Object.keys(store.$files.get())).toEqual(['file_1', 'file_3']);
  });
});

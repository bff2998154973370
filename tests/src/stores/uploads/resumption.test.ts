// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FieldError } from '#contract/calls/errors.ts';
import { RESUMABLE_AGE_MS_MAX } from '#contract/sounds/resumable-uploads.ts';
import type { ResumableOptions } from '#src/api/upload-resumable.ts';
import {
  MEMBER,
  refreshSounds,
  setExtended,
  showAlert,
  showToast,
  uploadForm,
  useStores,
} from '../../support/stores.ts';

interface Sending extends ResumableOptions {
  readonly file: File;
  succeed(): void;
  fail(error: unknown): void;
}

const mocks = vi.hoisted(() => ({
  sendResumable: vi.fn<(file: File, options: ResumableOptions) => Promise<void>>(),
  deleteResumable: vi.fn<(uploadId: string) => Promise<void>>(),
  loadResumable: vi.fn<() => void>(),
  canPlayFile: vi.fn<(file: File) => Promise<boolean>>(),
}));
const disk = vi.hoisted(() => ({
  files: new Map<string, unknown>(),
  isFull: false,
  takesFiles: true,
  writing: Promise.resolve(),
}));
vi.mock('#src/api/upload-resumable.ts', () => mocks);
vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast, showAlert }));
vi.mock('#src/stores/my-sounds/list.ts', () => ({ refreshSounds }));
vi.mock('#src/stores/my-sounds/playable.ts', () => mocks);
vi.mock('idb-keyval', () => ({
  createStore: () => 'store',
  get: async (key: string) => disk.files.get(key),
  set: async (key: string, file: File) => {
    if (disk.isFull) throw new DOMException('no room', 'QuotaExceededError');
    if (file instanceof File && !disk.takesFiles) throw new DOMException('no files', 'UnknownError');
    await disk.writing;
    disk.files.set(key, file);
  },
  del: async (key: string) => void disk.files.delete(key),
  keys: async () => [...disk.files.keys()],
  clear: async () => disk.files.clear(),
}));

/** One tab of the browser. Local storage, the disk and the locks are shared. */
type Tab = Awaited<ReturnType<typeof loadTab>>;
async function loadTab() {
  vi.resetModules();
  const { ApiError } = await import('#contract/calls/errors.ts');
  const session = await import('#src/stores/session/session.ts');
  const queue = await import('#src/stores/uploads/queue.ts');
  const resumption = await import('#src/stores/uploads/resumption.ts');
  const { retryUpload } = await import('#src/stores/uploads/sending.ts');
  const { addUploads, cancelUpload } = await import('#src/stores/uploads/uploads.ts');
  const { deleteAllStoredUploads } = await import('#src/api/stored-uploads.ts');
  const actions = { retryUpload, addUploads, cancelUpload, deleteAllStoredUploads };
  return { ...session, ...queue, ...resumption, ...actions, ApiError };
}
async function openTab(): Promise<Tab> {
  const opened = await loadTab();
  tabs.push(opened);
  return opened;
}

const profile = (id = '1', isBlocked = false) => ({ id, canUpload: !isBlocked });
const SIZE = 12_000;
let tabs: Tab[] = [];
let tab: Tab;
let sendings: Sending[];
let finishes: { readonly form: FormData; succeed(): void; fail(error: unknown): void }[];

function mp3(name: string, lastModified = 5, sizeBytes = SIZE): File {
  return new File(['.'.repeat(sizeBytes)], name, { type: 'audio/mpeg', lastModified });
}
const settle = () => vi.advanceTimersByTimeAsync(0);
const rows = (of = tab) => of.$uploads.get().map(({ name, progress }) => `${name} ${progress.state}`);
const progressOf = (of = tab, index = 0) => of.$uploads.get()[index]?.progress;
const idOf = (of = tab, index = 0) => of.$uploads.get()[index]?.id ?? '';
const notes = () => Object.keys(localStorage).filter((key) => key.startsWith('upload:'));
const sending = (index: number) => sendings[index] ?? expect.fail(`nothing was sent for the time ${index}`);
const finish = (index: number) =>
  finishes[index] ?? expect.fail(`nothing was finished for the time ${index}`);
const refusal = (status: number, fields: FieldError[] = [], options = {}) =>
  new tab.ApiError(status, fields, options);
const lost = () => refusal(0);

async function add(...names: string[]): Promise<void> {
  tab.addUploads(
    names.map((name) => mp3(name)),
    '7',
  );
  await settle();
}
/** The host says how much it has of a file. */
const take = (index: number, takenBytes: number, uploadId = 'u1') =>
  sending(index).onStanding({ uploadId, takenBytes });
/** A file of which the host has a third. */
async function begin(): Promise<void> {
  await add('曲.mp3');
  take(0, 4_000);
}
/** The host has all of a file. */
async function arrive(index: number, uploadId = 'u1'): Promise<void> {
  take(index, SIZE, uploadId);
  sending(index).succeed();
  await settle();
}
async function fail(call: { fail(error: unknown): void }, error: unknown): Promise<void> {
  call.fail(error);
  await settle();
}

/** The member opens the page of their sounds in this tab. */
async function visit(of = tab): Promise<void> {
  of.openUploads(profile());
  await settle();
}
/** Closes or reloads a tab: its locks are released, and its scripts end. */
function close(closing: Tab): void {
  closing.openUploads(profile(''));
  for (const { id } of closing.$uploads.get()) closing.removeUpload(id);
}
/** Delivers one tab's storage change to the others. */
function tellOthers(key: string): void {
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

useStores({ isExtended: true, clock: true });
beforeEach(async () => {
  disk.files.clear();
  disk.isFull = false;
  disk.takesFiles = true;
  disk.writing = Promise.resolve();
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.canPlayFile.mockResolvedValue(true);
  mocks.deleteResumable.mockResolvedValue(undefined);
  sendings = [];
  finishes = [];
  mocks.sendResumable.mockImplementation(
    (file, options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
        sendings.push({ ...options, file, succeed: () => resolve(), fail: reject });
      }),
  );
  uploadForm.mockImplementation(
    (_, form) =>
      new Promise((resolve, reject) => void finishes.push({ form, succeed: () => resolve(), fail: reject })),
  );
  vi.stubGlobal('navigator', { locks: makeLocks() });
  tabs = [];
  tab = await openTab();
  tab.rememberUser(MEMBER);
  tab.openUploads(profile());
});
afterEach(() => {
  for (const open of tabs) close(open);
});

describe('a file that is sent in pieces', () => {
  it('becomes a sound by the id of its upload once it has arrived in full, and nothing is stored', async () => {
    await add('曲.mp3');
    expect(sending(0).uploadId).toBe('');
    expect([notes().length, disk.files.size]).toEqual([1, 1]);
    await arrive(0);
    expect(progressOf()).toMatchObject({ state: 'sending', sentBytes: SIZE });
    expect([...finish(0).form]).toEqual([
      ['types', '7'],
      ['filename', '曲.mp3'],
      ['upload', 'u1'],
    ]);
    finish(0).succeed();
    await settle();
    expect(rows()).toEqual([]);
    expect(showToast.mock.calls).toEqual([['success', 'サウンドがアップロードされました']]);
    expect(refreshSounds.mock.calls).toEqual([['7']]);
    expect([notes().length, disk.files.size]).toEqual([0, 0]);
  });

  it('waits without a connection without limit, at growing intervals, and resumes where it stopped', async () => {
    await begin();
    sending(0).onProgress(6_000);
    await fail(sending(0), lost());
    expect(progressOf()).toEqual({ state: 'paused', sentBytes: 6_000, cause: 'offline' });
    expect(tab.$isUploading.get()).toBe(true);
    const pauses: number[] = [];
    for (let tried = 1; tried < 9; tried += 1) {
      let waitedSec = 0;
      for (; sendings.length === tried; waitedSec += 1) await vi.advanceTimersByTimeAsync(1_000);
      pauses.push(waitedSec);
      expect(sending(tried).uploadId).toBe('u1');
      await fail(sending(tried), lost());
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    window.dispatchEvent(new Event('online'));
    await settle();
    take(9, 8_000);
    await fail(sending(9), lost());
    // It made progress since, so this is a new failure.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sendings).toHaveLength(11);
  });

  it('restarts its speed measurement after a pause, from the host’s offset', async () => {
    await begin();
    sending(0).fail(lost());
    await vi.advanceTimersByTimeAsync(1_000);
    sending(1).onProgress(8_000);
    await vi.advanceTimersByTimeAsync(1_000);
    sending(1).onProgress(9_000);
    expect(progressOf()).toEqual({ state: 'sending', sentBytes: 9_000, bytesPerSec: 1_000 });
  });

  it('is retried a few times while the host is busy, at the requested time, then stops with its message', async () => {
    await begin();
    await fail(sending(0), refusal(429, [], { retryAfterSec: 20 }));
    expect(progressOf()).toEqual({ state: 'paused', sentBytes: 4_000, cause: 'busy' });
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(19_000);
    expect(sendings).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    for (const tried of [1, 2, 3]) {
      sending(tried).fail(refusal(503));
      await vi.advanceTimersByTimeAsync(30_000);
    }
    await fail(sending(4), refusal(503, [{ key: 'detail', message: '満員です。' }]));
    expect(progressOf()).toEqual({ state: 'failed', reasons: ['満員です。'], canRetry: true });
    expect(disk.files.size).toBe(1);
    tab.retryUpload(idOf());
    await settle();
    expect(sending(5).uploadId).toBe('u1');
  });

  it('waits for a host whose disk is full, at growing intervals, and resumes where it stopped', async () => {
    await begin();
    const pauses = [30, 60, 120, 240, 300, 300];
    for (const [tried, seconds] of pauses.entries()) {
      await fail(sending(tried), refusal(507));
      expect(progressOf()).toEqual({ state: 'paused', sentBytes: 4_000, cause: 'full' });
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(sendings).toHaveLength(tried + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(sending(tried + 1).uploadId).toBe('u1');
    }
    expect([disk.files.size, notes()]).toEqual([1, [expect.stringContaining(idOf())]]);
    sending(pauses.length).onStanding({ uploadId: 'u1', takenBytes: SIZE });
    sending(pauses.length).succeed();
    await settle();
    await fail(finish(0), refusal(507));
    expect(progressOf()).toMatchObject({ state: 'paused', cause: 'full' });
    await vi.advanceTimersByTimeAsync(30_000);
    finish(1).succeed();
    await settle();
    expect(rows()).toEqual([]);
  });

  it('that the host refuses stops with the reason, is not retried, and leaves nothing to delete there', async () => {
    await add('曲.mp3');
    await arrive(0);
    await fail(finish(0), refusal(400, [{ key: 'file', message: '同じサウンドがあります。' }]));
    expect(progressOf()).toEqual({ state: 'failed', reasons: ['同じサウンドがあります。'], canRetry: false });
    expect([notes().length, disk.files.size]).toEqual([0, 0]);
    tab.retryUpload(idOf());
    await settle();
    expect([sendings.length, finishes.length]).toEqual([1, 1]);
    tab.cancelUpload(idOf());
    expect(rows()).toEqual([]);
    expect(mocks.deleteResumable).not.toHaveBeenCalled();
  });

  it('whose type the host refused still exists, and is deleted when its row is dismissed', async () => {
    await add('曲.mp3');
    await arrive(0);
    await fail(finish(0), refusal(400, [{ key: 'types', message: 'サウンドの種類を1つ選んでください。' }]));
    tab.cancelUpload(idOf());
    expect(mocks.deleteResumable.mock.calls).toEqual([['u1']]);
  });

  it('asks again when the last answer is lost, and restarts once when the host no longer has it', async () => {
    await add('曲.mp3');
    await arrive(0);
    finish(0).fail(lost());
    await vi.advanceTimersByTimeAsync(1_000);
    expect([sendings.length, finish(1).form.get('upload')]).toEqual([1, 'u1']);
    await fail(finish(1), refusal(404));
    expect(sending(1).uploadId).toBe('');
    await arrive(1, 'u2');
    expect(finish(2).form.get('upload')).toBe('u2');
    await fail(finish(2), refusal(404));
    expect(rows()).toEqual(['曲.mp3 failed']);
  });

  it.each([
    [300, 'paused'],
    [301, 'failed'],
  ])('waits for a busy host that asks for %i s: %s', async (retryAfterSec, state) => {
    await begin();
    await fail(sending(0), refusal(503, [], { retryAfterSec }));
    expect(progressOf()).toMatchObject({ state });
  });

  it('asks for the offset again when the host calls a finished file incomplete', async () => {
    await add('曲.mp3');
    await arrive(0);
    await fail(finish(0), refusal(409));
    expect(progressOf()).toMatchObject({ state: 'failed', canRetry: true });
    tab.retryUpload(idOf());
    await settle();
    expect(sending(1).uploadId).toBe('u1');
  });

  it('U18: asks for the offset when the host has another one', async () => {
    await begin();
    sending(0).fail(refusal(409));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sending(1).uploadId).toBe('u1');
  });

  it('that is no longer readable resumes from the browser’s copy', async () => {
    const file = mp3('曲.mp3');
    tab.addUploads([file], '7');
    await settle();
    take(0, 4_000);
    file.slice = () => expect.fail('moved away');
    await fail(sending(0), lost());
    expect(rows()).toEqual(['曲.mp3 sending']);
    const { uploadId, file: copy } = sending(1);
    expect([uploadId, copy.name, copy.type, copy.lastModified]).toEqual([
      'u1',
      file.name,
      file.type,
      file.lastModified,
    ]);
    // A file of the browser's storage itself is sent as an empty one by Safari 26.5.
    expect([...disk.files.values(), file]).not.toContain(copy);
    expect(tab.hasUnsafeUploads()).toBe(false);
  });

  it('that is cancelled while the browser stores it leaves no copy', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    disk.writing = promise;
    await add('一.mp3');
    tab.cancelUpload(idOf());
    await settle();
    resolve();
    await settle();
    expect([notes(), disk.files.size]).toEqual([[], 0]);
  });

  it('that has no readable copy is requested again, and the next one begins', async () => {
    const file = mp3('一.mp3');
    tab.addUploads([file, mp3('二.mp3'), mp3('三.mp3')], '7');
    await settle();
    take(0, 4_000);
    file.slice = () => expect.fail('moved away');
    disk.files.clear();
    await fail(sending(0), lost());
    expect(progressOf()).toEqual({
      state: 'missing',
      sentBytes: 4_000,
      problem: expect.stringMatching(/読み込めません.*選び直して/),
    });
    expect(rows()).toEqual(['一.mp3 missing', '二.mp3 sending', '三.mp3 sending']);
    tab.cancelUpload(idOf(tab, 1));
    tab.chooseAgain(idOf(), mp3('一.mp3'));
    await settle();
    expect(sending(3).uploadId).toBe('u1');
  });

  it('that is cancelled is deleted on the host, also during a pause, and the next one begins', async () => {
    await add('一.mp3', '二.mp3', '三.mp3');
    take(0, 4_000);
    await fail(sending(0), lost());
    tab.cancelUpload(idOf());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(mocks.deleteResumable.mock.calls).toEqual([['u1']]);
    expect(rows()).toEqual(['二.mp3 sending', '三.mp3 sending']);
    expect([notes().length, disk.files.size]).toEqual([2, 2]);
    expect(sendings.map(({ file }) => file.name)).toEqual(['一.mp3', '二.mp3', '三.mp3']);
  });
});

describe('after the page has gone', () => {
  /** A first visit that ends in the middle of a file. */
  async function leaveInTheMiddle(): Promise<void> {
    await begin();
    close(tab);
    await settle();
    sendings = [];
    tab = await openTab();
  }

  it('nothing is lost, so leaving does not ask; before the browser has stored the file it does', async () => {
    tab.addUploads([mp3('曲.mp3')], '7');
    expect(tab.hasUnsafeUploads()).toBe(true);
    await settle();
    expect(tab.hasUnsafeUploads()).toBe(false);
    expect(tab.$isUploading.get()).toBe(true);
  });

  it('the next visit of the same member resumes it, from the host’s offset', async () => {
    await leaveInTheMiddle();
    tab.openUploads(profile());
    await visit();
    expect(rows()).toEqual(['曲.mp3 sending']);
    expect(progressOf()).toMatchObject({ sentBytes: 4_000 });
    expect([sending(0).uploadId, sending(0).file.size, sendings.length]).toEqual(['u1', SIZE, 1]);
  });

  it.each([
    ['another member sees none of it, and it is dropped', profile('2'), 0, 0],
    ['a blocked member sees none of it either, and it is kept for an unblock', profile('1', true), 0, 1],
    ['it is dropped once the host no longer has it', profile(), RESUMABLE_AGE_MS_MAX, 0],
  ])('%s', async (_, of, passedMs, left) => {
    await leaveInTheMiddle();
    vi.setSystemTime(Date.now() + passedMs);
    tab.openUploads(of);
    await settle();
    expect([rows(), notes().length, disk.files.size]).toEqual([[], left, left]);
  });

  it('an overwritten note is no upload, and files without a note are removed', async () => {
    localStorage.setItem('upload:x', '{"key":"x","memberId":"1"}');
    localStorage.setItem('upload:y', 'null');
    disk.files.set('stray', mp3('stray.mp3'));
    await visit();
    expect([rows(), notes(), disk.files.size]).toEqual([[], [], 0]);
  });

  it('a file that the browser could not store is requested, and only the same one is accepted', async () => {
    disk.isFull = true;
    await add('曲.mp3');
    expect(tab.hasUnsafeUploads()).toBe(true);
    take(0, 4_000);
    close(tab);
    await settle();
    tab = await openTab();
    await visit();
    expect(progressOf()).toEqual({ state: 'missing', sentBytes: 4_000, problem: null });
    expect([tab.$isUploading.get(), tab.hasUnsafeUploads()]).toEqual([false, false]);
    tab.chooseAgain(idOf(), mp3('別.mp3'));
    expect(progressOf()).toMatchObject({ problem: expect.stringMatching(/別のファイル.*「曲.mp3」/) });
    tab.chooseAgain(idOf(), mp3('曲.mp3', 6));
    expect(progressOf()).toMatchObject({ problem: expect.stringMatching(/内容が前と違う/) });
    tab.chooseAgain(idOf(), mp3('曲.mp3'));
    await settle();
    expect(sending(1).uploadId).toBe('u1');
  });

  it('choosing that file in the usual way resumes as well, instead of sending it twice', async () => {
    disk.isFull = true;
    await leaveInTheMiddle();
    await visit();
    await add('曲.mp3', '他.mp3');
    expect(rows()).toEqual(['曲.mp3 sending', '他.mp3 sending']);
    expect(sendings.map(({ uploadId }) => uploadId)).toEqual(['u1', '']);
  });

  it('only the last step remains for a file that had fully arrived', async () => {
    await add('曲.mp3');
    take(0, SIZE);
    close(tab);
    tab = await openTab();
    await visit();
    expect([sendings.length, finish(0).form.get('upload')]).toEqual([1, 'u1']);
  });
});

describe('with two tabs', () => {
  it('files chosen at once are in the same order in both', async () => {
    const names = ['五.mp3', '四.mp3', '三.mp3', '二.mp3', '一.mp3', '零.mp3'];
    tab.addUploads(
      names.map((name) => mp3(name)),
      '7',
    );
    await settle();
    const other = await openTab();
    other.openUploads(profile());
    expect(other.$uploads.get().map(({ name }) => name)).toEqual(names);
  });

  it('one sends and the other shows the progress, and resumes once the first is closed', async () => {
    await add('曲.mp3');
    const other = await openTab();
    other.openUploads(profile());
    await settle();
    expect(progressOf(other)).toEqual({ state: 'other-tab', sentBytes: 0 });
    take(0, 4_000);
    tellOthers(notes()[0] ?? '');
    expect(progressOf(other)).toEqual({ state: 'other-tab', sentBytes: 4_000 });
    expect([sendings.length, other.$isUploading.get()]).toEqual([1, false]);
    close(tab);
    await settle();
    expect(rows(other)).toEqual(['曲.mp3 sending']);
    expect(sending(1).uploadId).toBe('u1');
  });

  it('the other shows files chosen later, and their arrival', async () => {
    const other = await openTab();
    other.openUploads(profile());
    await add('曲.mp3');
    tellOthers(notes()[0] ?? '');
    await settle();
    expect(rows(other)).toEqual(['曲.mp3 other-tab']);
    refreshSounds.mockClear();
    await arrive(0);
    finish(0).succeed();
    await settle();
    expect(rows(other)).toEqual([]);
    expect(refreshSounds.mock.calls).toEqual([['7'], ['7']]);
    expect(sendings).toHaveLength(1);
  });

  it('the other drops a file that the host has refused permanently', async () => {
    const other = await openTab();
    other.openUploads(profile());
    await add('曲.mp3');
    const [key = ''] = notes();
    tellOthers(key);
    await settle();
    expect(rows(other)).toEqual(['曲.mp3 other-tab']);
    await fail(sending(0), refusal(400, [{ key: 'file', message: '壊れています。' }]));
    tellOthers(key);
    await settle();
    expect(rows()).toEqual(['曲.mp3 failed']);
    expect(rows(other)).toEqual([]);
  });
});

describe('on a page that the browser freezes and shows again', () => {
  const freeze = () => window.dispatchEvent(new Event('pagehide'));
  const thaw = async () => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await settle();
  };

  it('an upload stops, and continues where it was', async () => {
    await begin();
    freeze();
    expect(sending(0).signal.aborted).toBe(true);
    await thaw();
    expect([rows(), sending(1).uploadId]).toEqual([['曲.mp3 sending'], 'u1']);
    await arrive(1);
    finish(0).succeed();
    await settle();
    expect([rows(), notes()]).toEqual([[], []]);
  });

  it('an upload waits for the tab that has continued it, or is done there', async () => {
    await begin();
    freeze();
    const other = await openTab();
    await visit(other);
    expect(sending(1).uploadId).toBe('u1');
    await thaw();
    expect([rows(), rows(other)]).toEqual([['曲.mp3 other-tab'], ['曲.mp3 sending']]);
    const [key = ''] = notes();
    await arrive(1);
    finish(0).succeed();
    await settle();
    tellOthers(key);
    await settle();
    expect([rows(), sendings.length]).toEqual([[], 2]);
  });

  it('a file that the browser could not store is still there', async () => {
    disk.isFull = true;
    await begin();
    freeze();
    await thaw();
    expect([sending(1).uploadId, tab.hasUnsafeUploads()]).toEqual(['u1', true]);
  });

  it('an upload for whose note there was no room goes on', async () => {
    await begin();
    localStorage.removeItem(notes()[0] ?? '');
    freeze();
    await thaw();
    expect([rows(), sending(1).uploadId]).toEqual([['曲.mp3 sending'], 'u1']);
  });

  it('a failed upload stays as it is', async () => {
    await begin();
    await fail(sending(0), refusal(400, [{ key: 'file', message: '壊れています。' }]));
    freeze();
    await thaw();
    expect([rows(), sendings.length]).toEqual([['曲.mp3 failed'], 1]);
  });
});

describe('where the browser takes no files, but bytes', () => {
  it('an upload resumes after a reload', async () => {
    disk.takesFiles = false;
    await begin();
    await settle();
    expect(tab.hasUnsafeUploads()).toBe(false);
    close(tab);
    tab = await openTab();
    await visit();
    const { uploadId, file } = sending(1);
    expect([uploadId, file.name, file.type, file.size, file.lastModified]).toEqual([
      'u1',
      '曲.mp3',
      'audio/mpeg',
      SIZE,
      5,
    ]);
  });
});

describe('the code that sends in pieces', () => {
  it('is preloaded, where the host accepts pieces and the member may upload', () => {
    expect(mocks.loadResumable).toHaveBeenCalledOnce();
    tab.openUploads(profile(''));
    tab.openUploads(profile('1', true));
    setExtended(false);
    tab.openUploads(profile());
    expect(mocks.loadResumable).toHaveBeenCalledOnce();
  });
});

describe('when the member', () => {
  it('logs out, sending stops and nothing is left, including a file that was being stored', async () => {
    await add('一.mp3', '二.mp3');
    tab.addUploads([mp3('三.mp3')], '7');
    void tab.deleteAllStoredUploads();
    tab.forgetSession();
    await settle();
    expect([rows(), notes(), disk.files.size]).toEqual([[], [], 0]);
    expect(sendings.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  it('has to log in again because the session expired, the uploads resume afterwards', async () => {
    await add('一.mp3');
    take(0, 4_000);
    tab.forgetSession();
    await settle();
    expect(rows()).toEqual([]);
    tab.rememberUser(MEMBER);
    await visit();
    expect(sending(1).uploadId).toBe('u1');
  });
});

/** Web Locks for tabs that run in one process. */
function makeLocks() {
  const held = new Map<string, Promise<unknown>>();
  type Work = (lock: object | null) => unknown;
  async function request(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    work: Work,
  ): Promise<void> {
    if (options.ifAvailable && held.has(name)) return void (await work(null));
    while (held.has(name)) await held.get(name);
    options.signal?.throwIfAborted();
    const done = Promise.resolve(work({ name })).finally(() => held.delete(name));
    held.set(name, done);
    await done;
  }
  return { request };
}

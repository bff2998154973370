// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { ApiError } from '#contract/calls/errors.ts';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import {
  MEMBER,
  callApi,
  setExtended,
  showToast,
  uploadForm,
  usePreviews,
  useStores,
} from '../../support/stores.ts';

const { ask, showChange } = vi.hoisted(() => ({
  ask: vi.fn<() => Promise<boolean>>(),
  showChange: vi.fn<() => void>(),
}));
vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ ask, showToast }));
vi.mock('#src/stores/my-sounds/list.ts', () => ({ showChange }));

import {
  $editing,
  $hasUnsavedSound,
  chooseThumbnail,
  closeEditor,
  keepTypedSound,
  leaveEditor,
  openEditor,
  saveSound,
  saveSoundField,
  showMeasured,
  takeSavedSound,
  toggleChoice,
  typeRow,
} from '#src/stores/my-sounds/editor.ts';
import { forgetSession } from '#src/stores/session/session.ts';

const SOUND = v.parse(lenient(SoundSchema), {
  id: 5,
  title: '静かな雨',
  filename: 'rain.mp3',
  description: '雨の日に。',
  is_published: false,
  is_editable: true,
  sub_genres: [1, 2],
});
const PNG = new File(['pixels'], '写真.png', { type: 'image/png' });

/** The sent form, as pairs; files by their names. */
let sent: (readonly (readonly [string, string])[])[];

useStores({ member: MEMBER });
const previews = usePreviews();
beforeEach(() => {
  leaveEditor();
  ask.mockReset();
  showChange.mockReset();
  sent = [];
  uploadForm.mockImplementation(async (_, form) => {
    sent.push([...form].map(([key, value]) => [key, value instanceof File ? value.name : value]));
  });
});

describe('a sound that was changed elsewhere since it was read', () => {
  const READ = { ...SOUND, updated_at: 'read' };
  const PROBLEM = 'ほかで変更されたため、そのままにしました。';
  let stored: typeof READ;
  const values = () => Object.fromEntries(sent.at(-1) ?? []);

  beforeEach(() => {
    setExtended(true);
    stored = { ...READ, updated_at: 'later', description: '別のタブの説明' };
    callApi.mockImplementation(async () => ({ results: [stored], next: null }));
    uploadForm.mockImplementation(async (_, form) => {
      sent.push([...form].map(([key, value]) => [key, value instanceof File ? value.name : value]));
      if (form.get('updated_at') !== stored.updated_at)
        throw new ApiError(409, [{ key: 'detail', message: PROBLEM }]);
      return { sound: { ...stored, updated_at: 'saved' } } as unknown as undefined;
    });
    openEditor(READ);
  });
  afterEach(() => setExtended(false));

  it('is not replaced: the saved value is there beside what was typed, while the person types', async () => {
    typeRow('description', 'わたしの説明');
    await saveSound();
    const conflict = { problem: PROBLEM, theirs: { description: '別のタブの説明' }, fields: ['description'] };
    expect($editing.get()).toMatchObject({ conflict, saving: null, draft: { description: 'わたしの説明' } });
    expect(showToast).not.toHaveBeenCalled();
    typeRow('description', '両方の説明');
    expect($editing.get()).toMatchObject({ conflict, draft: { description: '両方の説明' } });
  });

  it('is replaced knowingly', async () => {
    typeRow('description', 'わたしの説明');
    await saveSoundField('description');
    await keepTypedSound();
    expect(values()).toEqual({ description: 'わたしの説明', updated_at: 'later' });
    expect($editing.get()).toMatchObject({ conflict: null, saved: { description: 'わたしの説明' } });
    stored = { ...stored, updated_at: 'saved' };
    typeRow('title', '強い雨');
    await saveSoundField('title');
    expect(values()).toEqual({ title: '強い雨', updated_at: 'saved' });
  });

  it('gives up only the field in question for what is saved', async () => {
    typeRow('description', 'わたしの説明');
    typeRow('title', '書きかけ');
    await saveSoundField('description');
    takeSavedSound();
    expect($editing.get()).toMatchObject({
      conflict: null,
      draft: { description: '別のタブの説明', title: '書きかけ' },
    });
  });

  it('takes over a change of other fields, and saves', async () => {
    typeRow('title', '強い雨');
    await saveSoundField('title');
    expect(values()).toEqual({ title: '強い雨', updated_at: 'later' });
    expect($editing.get()).toMatchObject({
      conflict: null,
      draft: { title: '強い雨', description: '別のタブの説明' },
      saved: { title: '強い雨', description: '別のタブの説明' },
    });
  });

  it('says so where it was deleted', async () => {
    callApi.mockResolvedValue({ results: [], next: null });
    typeRow('title', '強い雨');
    await saveSound();
    expect($editing.get()).toMatchObject({ conflict: { theirs: null }, draft: { title: '強い雨' } });
  });
});

describe('editing a sound', () => {
  it('does not open for a sound that is not editable', () => {
    openEditor({ ...SOUND, is_editable: false });
    expect($editing.get()).toBeNull();
  });

  it('saves one row only, stays open, and marks it for 1.2 s', async () => {
    vi.useFakeTimers();
    openEditor(SOUND);
    typeRow('title', '  強い雨 ');
    typeRow('description', '書きかけ');
    await saveSoundField('title');
    expect(sent).toEqual([[['title', '強い雨']]]);
    expect(uploadForm.mock.calls[0]?.[0]).toMatchObject({ method: 'PATCH', path: '/api/sounds/{id}/' });
    expect(uploadForm.mock.calls[0]?.[2].params).toEqual({ id: '5' });
    expect(showToast.mock.calls).toEqual([['success', 'Sound updated successfully']]);
    expect(showChange).toHaveBeenCalledOnce();
    expect($editing.get()).toMatchObject({
      draft: { title: '強い雨', description: '書きかけ' },
      justSaved: 'title',
    });
    vi.advanceTimersByTime(1_199);
    expect($editing.get()?.justSaved).toBe('title');
    vi.advanceTimersByTime(1);
    expect($editing.get()?.justSaved).toBeNull();
    expect($hasUnsavedSound.get()).toBe(true);
  });

  it('saves all unsaved fields together, and nothing else, and closes (spec §4)', async () => {
    openEditor(SOUND);
    typeRow('is_published', 'true');
    typeRow('is_ai_generated', 'true');
    typeRow('title', '');
    toggleChoice('sub_genres', '2');
    toggleChoice('sub_genres', '9');
    chooseThumbnail(PNG);
    expect($editing.get()?.thumbnail?.preview).toBe('blob:1');
    await saveSound();
    expect(sent).toEqual([
      [
        ['is_published', 'true'],
        ['title', ''],
        ['is_ai_generated', 'true'],
        ['sub_genres', '1'],
        ['sub_genres', '9'],
        ['thumbnail', '写真.png'],
      ],
    ]);
    expect($editing.get()).toBeNull();
    expect(previews.size).toBe(0);
    expect(showChange).toHaveBeenCalledOnce();
  });

  it('clears the sub-genres with one empty value, because a form cannot carry an empty list', async () => {
    openEditor(SOUND);
    toggleChoice('sub_genres', '1');
    toggleChoice('sub_genres', '2');
    await saveSound();
    expect(sent).toEqual([[['sub_genres', '']]]);
  });

  it('sends nothing while nothing is changed or a field is invalid', async () => {
    openEditor(SOUND);
    typeRow('title', ' 静かな雨 ');
    toggleChoice('sub_genres', '1');
    toggleChoice('sub_genres', '1');
    expect($hasUnsavedSound.get()).toBe(false);
    await saveSound();
    typeRow('filename', ' ');
    await saveSound();
    typeRow('filename', 'rain.mp3');
    typeRow('title', 'あ'.repeat(101));
    await saveSound();
    await saveSoundField('title');
    expect(sent).toEqual([]);
    expect($hasUnsavedSound.get()).toBe(true);
  });

  it('that is refused shows each key, keeps all values, and can be resent', async () => {
    openEditor(SOUND);
    typeRow('title', '強い雨');
    chooseThumbnail(PNG);
    uploadForm.mockRejectedValueOnce(
      new ApiError(400, [
        { key: 'title', message: '使えない言葉があります。' },
        { key: 'thumbnail', message: '画像ではありません。' },
        { key: 'detail', message: 'だめです。' },
      ]),
    );
    await saveSound();
    expect(showToast.mock.calls).toEqual([
      ['error', 'title: 使えない言葉があります。'],
      ['error', 'thumbnail: 画像ではありません。'],
      ['error', 'detail: だめです。'],
    ]);
    expect($editing.get()).toMatchObject({
      draft: { title: '強い雨' },
      thumbnail: { file: PNG },
      refusals: { title: '使えない言葉があります。', thumbnail: '画像ではありません。' },
      saving: null,
    });
    await saveSound();
    expect(sent).toEqual([
      [
        ['title', '強い雨'],
        ['thumbnail', '写真.png'],
      ],
    ]);
  });

  it('gets the estimates of the open sound only, and keeps what was typed', () => {
    openEditor(SOUND);
    typeRow('title', '強い雨');
    showMeasured({ ...SOUND, id: '6', bpm: 99, is_bpm_estimated: true });
    expect($editing.get()?.sound.bpm).toBeUndefined();
    showMeasured({ ...SOUND, bpm: 128, is_bpm_estimated: true });
    expect($editing.get()).toMatchObject({ sound: { bpm: 128 }, draft: { title: '強い雨', bpm: '' } });
  });

  it('is sent once at a time; until then it cannot be closed or changed', async () => {
    let answer: () => void = () => undefined;
    uploadForm.mockImplementationOnce((_, __, { onProgress }) => {
      onProgress(0.5);
      return new Promise((resolve) => (answer = resolve));
    });
    openEditor(SOUND);
    typeRow('title', '強い雨');
    const saving = saveSound();
    void saveSound();
    typeRow('title', 'ほか');
    void closeEditor();
    expect(uploadForm).toHaveBeenCalledOnce();
    expect($editing.get()).toMatchObject({
      draft: { title: '強い雨' },
      saving: { fields: ['title'], share: 0.5 },
    });
    answer();
    await saving;
    expect($editing.get()).toBeNull();
  });

  it('rejects a file that is no picture as a thumbnail, and keeps the previous one', () => {
    openEditor(SOUND);
    chooseThumbnail(PNG);
    chooseThumbnail(new File(['x'], '動画.gif'));
    const refusals = { thumbnail: expect.stringMatching(/\.jpg/) };
    expect($editing.get()).toMatchObject({ thumbnail: { file: PNG }, refusals });
  });

  it('keeps a saved thumbnail visible, and releases it on closing', async () => {
    openEditor(SOUND);
    chooseThumbnail(PNG);
    await saveSoundField('thumbnail');
    expect($editing.get()).toMatchObject({ thumbnail: null, savedThumbnail: 'blob:1' });
    chooseThumbnail(PNG);
    await saveSoundField('thumbnail');
    expect([...previews]).toEqual(['blob:2']);
    void closeEditor();
    expect(previews.size).toBe(0);
  });

  it('asks before it drops changes, and keeps them if the answer is no', async () => {
    openEditor(SOUND);
    typeRow('title', '強い雨');
    ask.mockResolvedValueOnce(false);
    await closeEditor();
    expect($editing.get()).toMatchObject({ draft: { title: '強い雨' } });
    ask.mockResolvedValueOnce(true);
    await closeEditor();
    expect($editing.get()).toBeNull();
    openEditor(SOUND);
    await closeEditor();
    expect([$editing.get(), ask.mock.calls.length]).toEqual([null, 2]);
  });

  it('ends with the session: the next member does not see the typed values', async () => {
    openEditor(SOUND);
    typeRow('title', '秘密');
    forgetSession();
    expect($editing.get()).toBeNull();
  });
});

describe('leaving the page', () => {
  it('closes the dialog, also during a save, which still completes', async () => {
    let answer: () => void = () => undefined;
    uploadForm.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    openEditor(SOUND);
    typeRow('title', '別の題');
    const saving = saveSoundField('title');
    void closeEditor();
    expect($editing.get()).not.toBeNull();
    leaveEditor();
    expect([$editing.get(), $hasUnsavedSound.get()]).toEqual([null, false]);
    answer();
    await saving;
    expect($editing.get()).toBeNull();
    expect(showToast.mock.calls).toEqual([['success', 'Sound updated successfully']]);
  });
});

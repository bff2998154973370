// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { ApiError } from '#contract/calls/errors.ts';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import { MEMBER, callApi, setExtended, showToast, uploadForm, useStores } from '../../support/stores.ts';

const { showChange } = vi.hoisted(() => ({ showChange: vi.fn<() => void>() }));
vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));
vi.mock('#src/stores/my-sounds/list.ts', () => ({ showChange }));

import { $editing, leaveEditor, openEditor, typeRow } from '#src/stores/my-sounds/editor.ts';
import {
  $history,
  canUndoEntry,
  forgetHistory,
  readHistory,
  undoEntry,
} from '#src/stores/my-sounds/history.ts';

const SOUND = v.parse(lenient(SoundSchema), {
  id: 5,
  title: '盗',
  is_published: true,
  is_editable: true,
  sub_genres: [2],
  updated_at: '2026-11-28T00:00:00.000Z',
});
const ENTRY = {
  id: '1',
  changed_at: '2026-11-28T00:00:00.000Z',
  way: 'edit',
  can_undo: true,
  fields: [
    { name: 'title', before: ['静かな雨'], after: ['盗'] },
    { name: 'sub_genres', before: ['1', '2'], after: ['2'] },
    { name: 'description', before: [], after: [] },
    { name: 'thumbnail', before: [], after: [] },
  ],
};
const editing = () => {
  const open = $editing.get();
  if (open === null) throw new Error('no sound is open');
  return open;
};

useStores({ member: MEMBER });
beforeEach(() => {
  setExtended(true);
  leaveEditor();
  forgetHistory();
  openEditor(SOUND);
  callApi.mockResolvedValue({ changes: [ENTRY] });
});

describe('the changes of a sound', () => {
  it('are read once for each version', async () => {
    await readHistory(SOUND);
    expect($history.get()).toMatchObject({ state: 'ready', entries: [ENTRY] });
    await readHistory(SOUND);
    expect(callApi).toHaveBeenCalledOnce();
    await readHistory({ ...SOUND, updated_at: '2026-11-28T01:00:00.000Z' });
    expect(callApi).toHaveBeenCalledTimes(2);
  });

  it('can be read again after a failure', async () => {
    callApi.mockRejectedValueOnce(new ApiError(503, []));
    await readHistory(SOUND);
    expect($history.get()).toMatchObject({ state: 'failed', problems: [expect.any(String)] });
    await readHistory(SOUND);
    expect($history.get().state).toBe('ready');
  });

  it('are undone together by one save, without the picture', async () => {
    await undoEntry(ENTRY);
    const form = [...(uploadForm.mock.calls[0]?.[1] ?? [])];
    expect(form.filter(([name]) => name !== 'updated_at')).toEqual([
      ['title', '静かな雨'],
      ['sub_genres', '1'],
      ['sub_genres', '2'],
    ]);
    expect(editing().draft.title).toBe('静かな雨');
  });

  it('stay as they are while something else is typed there, and if the values have changed since', () => {
    expect(canUndoEntry(editing(), ENTRY)).toBe(true);
    expect(canUndoEntry(editing(), { ...ENTRY, can_undo: false })).toBe(false);
    typeRow('title', '書きかけ');
    expect(canUndoEntry(editing(), ENTRY)).toBe(false);
  });
});

// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi: () => new Promise(() => undefined) }));
vi.mock('#src/api/upload.ts', () => ({ uploadForm: () => new Promise(() => undefined) }));
vi.mock('#src/stores/my-sounds/playable.ts', () => ({ canPlayFile: async () => true }));

import { NO_SESSION } from '#src/browser/session.ts';
import { $deletion, openDeletion } from '#src/stores/my-sounds/deletion.ts';
import { $editing, openEditor } from '#src/stores/my-sounds/editor.ts';
import { mySounds, showTab } from '#src/stores/my-sounds/my-sounds.ts';
import { $fields, openField } from '#src/stores/profile/editor.ts';
import { profilePicture } from '#src/stores/profile/pictures.ts';
import { qualityCheck } from '#src/stores/quality-check/quality-check.ts';
import {
  $session,
  forgetSession,
  onMemberLeave,
  rememberFilters,
  rememberUser,
} from '#src/stores/session/session.ts';
import { $uploads } from '#src/stores/uploads/queue.ts';
import { findResumingMember, openUploads } from '#src/stores/uploads/resumption.ts';
import { addUploads } from '#src/stores/uploads/uploads.ts';
import { setExtended } from '../../support/stores.ts';

const USER = { username: '音の人', email: 'a@example.test', profile_picture: null };
const SOUND = v.parse(lenient(SoundSchema), { id: 5, title: '曲', filename: 'a.mp3', is_editable: true });
const mp3 = () => new File(['x'], '曲.mp3', { type: 'audio/mpeg' });

/** The unfinished state of one member in each place. */
function leaveWork(): void {
  showTab('1', '音の人');
  openEditor(SOUND);
  openDeletion([SOUND]);
  openField('bio');
  profilePicture.choose(new File(['x'], 'a.png', { type: 'image/png' }));
  qualityCheck.choose('file_1', mp3());
  qualityCheck.toggleType('1');
  setExtended(true);
  openUploads({ id: 'u1', canUpload: true });
  addUploads([mp3()], '1');
}
const listWork = () =>
  Object.entries({
    sounds: mySounds.$list.get().query !== null,
    editor: $editing.get() !== null,
    deletion: $deletion.get().state !== 'closed',
    fields: Object.keys($fields.get()).length > 0,
    picture: profilePicture.$upload.get().state !== 'empty',
    files: Object.keys(qualityCheck.$files.get()).length > 0,
    answers: qualityCheck.$answers.get().types.length > 0,
    uploads: $uploads.get().length > 0,
    resuming: findResumingMember() !== null,
  }).flatMap(([place, isThere]) => (isThere ? [place] : []));
const ALL = ['sounds', 'editor', 'deletion', 'fields', 'picture', 'files', 'answers', 'uploads', 'resuming'];

beforeEach(() => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => undefined;
  if ($session.get().isAuthenticated) forgetSession();
  rememberUser({ ...USER, id: 'u1' });
  leaveWork();
  expect(listWork()).toEqual(ALL);
});

describe('the unfinished state of a member', () => {
  it('is cleared once another member is logged in, without a log-out between them', () => {
    rememberUser({ ...USER, id: 'u2' });
    expect(listWork()).toEqual([]);
  });

  it('is also cleared when the page was left and is restored', () => {
    const session = { ...NO_SESSION, isAuthenticated: true, user: { ...USER, id: 'u2' } };
    localStorage.setItem('auth', JSON.stringify(session));
    window.dispatchEvent(new Event('pageshow'));
    expect(listWork()).toEqual([]);
  });

  it('is kept while the same member only gets another name', () => {
    rememberUser({ ...USER, id: 'u1', username: '新しい名前' });
    expect(listWork()).toEqual(ALL);
  });
});

describe('a visitor', () => {
  it('forgets nothing when the search changes, here or in another tab', () => {
    forgetSession();
    const forget = vi.fn<() => void>();
    onMemberLeave(forget);
    rememberFilters({ search: '雨', subgenres: [], type: null });
    localStorage.setItem('auth', JSON.stringify({ ...NO_SESSION, search: '風' }));
    window.dispatchEvent(new Event('pageshow'));
    expect($session.get().search).toBe('風');
    forgetSession();
    expect(forget).not.toHaveBeenCalled();
  });
});

describe('a member', () => {
  it('leaves once, also where the host tells no id', () => {
    rememberUser({ ...USER, id: '' });
    const forget = vi.fn<() => void>();
    onMemberLeave(forget);
    forgetSession();
    rememberFilters({ search: '雨', subgenres: [], type: null });
    forgetSession();
    expect(forget).toHaveBeenCalledOnce();
  });

  it.each([
    ['of unknown id whose id is told later is no other', ['', 'u2', 'u2'], 0],
    ['whose host tells no id counts until another is told', ['u1', '', 'u2'], 1],
    ['who comes back is another each time', ['u2', 'u1'], 2],
  ])('%s', (_, ids, times) => {
    const forget = vi.fn<() => void>();
    if (ids[0] === '') forgetSession();
    onMemberLeave(forget);
    for (const id of ids) rememberUser({ ...USER, id });
    expect(forget).toHaveBeenCalledTimes(times);
  });
});

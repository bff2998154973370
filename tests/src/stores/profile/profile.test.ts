// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { MEMBER, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

const SESSION = { isAuthenticated: true, user: MEMBER, search: '雨', subgenres: [], type: null };

/** Fresh modules: queries are cached as long as their module. */
async function open(session: object | null) {
  vi.resetModules();
  localStorage.clear();
  if (session) {
    localStorage.setItem('token', 'access');
    localStorage.setItem('auth', JSON.stringify(session));
  }
  const { $profile, reloadProfile } = await import('#src/stores/profile/profile.ts');
  const { $session, forgetSession, rememberUser } = await import('#src/stores/session/session.ts');
  $profile.listen(() => undefined);
  return { $profile, reloadProfile, $session, forgetSession, rememberUser };
}

useStores();

describe('the profile', () => {
  it('is not requested for strangers', async () => {
    const { $profile } = await open(null);
    expect($profile.get()).toEqual({ loading: false });
    expect(callApi).not.toHaveBeenCalled();
  });

  it('is read for members, and updates the picture of the session', async () => {
    const profile = { ...MEMBER, profile_picture: '/media/new.webp', bio: 'x', is_verified: true };
    callApi.mockResolvedValue(profile);
    const { $profile, $session } = await open(SESSION);
    await vi.waitFor(() => expect($profile.get().data).toEqual(profile));
    expect($session.get()).toEqual({ ...SESSION, user: { ...MEMBER, profile_picture: '/media/new.webp' } });
    expect(callApi).toHaveBeenCalledOnce();
  });

  it('does not restore a session that ended while it was being read', async () => {
    let answer: (profile: unknown) => void = () => undefined;
    callApi.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const { $profile, $session, forgetSession } = await open(SESSION);
    localStorage.removeItem('token');
    forgetSession();
    answer({ ...MEMBER, username: '新しい名前' });
    await new Promise((resolve) => setTimeout(resolve));
    expect($profile.get().data).toBeUndefined();
    expect($session.get().isAuthenticated).toBe(false);
  });

  it('changes the session only by what was just read', async () => {
    callApi.mockResolvedValueOnce(MEMBER).mockRejectedValueOnce(new ApiError(503, []));
    const { $profile, $session, reloadProfile, rememberUser } = await open(SESSION);
    await vi.waitFor(() => expect($profile.get().data).toEqual(MEMBER));
    // As another tab does.
    rememberUser({ ...MEMBER, username: '新しい名前' });
    reloadProfile();
    await vi.waitFor(() => expect($profile.get().error).toBeInstanceOf(ApiError));
    expect($session.get().user?.username).toBe('新しい名前');
  });

  it('is not shown to another member, even where the host sends no id', async () => {
    callApi.mockResolvedValueOnce({ ...MEMBER, id: '', username: '一人目' });
    const { $profile, $session, forgetSession, rememberUser } = await open({
      ...SESSION,
      user: { ...MEMBER, id: '' },
    });
    await vi.waitFor(() => expect($profile.get().data?.username).toBe('一人目'));
    forgetSession();
    const { answer } = holdCall();
    rememberUser({ ...MEMBER, id: '', username: '二人目' });
    await vi.waitFor(() => expect($profile.get().loading).toBe(true));
    expect($profile.get().data).toBeUndefined();
    answer({ ...MEMBER, id: '', username: '二人目' });
    await vi.waitFor(() => expect($profile.get().data?.username).toBe('二人目'));
    expect($session.get().user?.username).toBe('二人目');
  });

  it('shows the error, and is read again on request', async () => {
    callApi.mockRejectedValueOnce(new ApiError(503, [])).mockResolvedValueOnce(MEMBER);
    const { $profile, reloadProfile } = await open(SESSION);
    await vi.waitFor(() => expect($profile.get().error).toBeInstanceOf(ApiError));
    reloadProfile();
    await vi.waitFor(() => expect($profile.get().data).toEqual(MEMBER));
  });

  it('is read once more when a change happened while it was being read', async () => {
    const { answer } = holdCall();
    const { $profile, reloadProfile } = await open(SESSION);
    await vi.waitFor(() => expect(callApi).toHaveBeenCalledOnce());
    callApi.mockResolvedValue({ ...MEMBER, username: '変わった名前' });
    reloadProfile();
    reloadProfile();
    answer(MEMBER);
    await vi.waitFor(() => expect($profile.get().data?.username).toBe('変わった名前'));
    expect(callApi).toHaveBeenCalledTimes(2);
  });

  it('is read on return to its tab when a change happened in the meantime', async () => {
    callApi.mockResolvedValue(MEMBER);
    const { $profile, reloadProfile } = await open(SESSION);
    await vi.waitFor(() => expect($profile.get().data).toEqual(MEMBER));
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    reloadProfile();
    expect(callApi).toHaveBeenCalledOnce();
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => expect(callApi).toHaveBeenCalledTimes(2));
    hidden.mockRestore();
  });

  it('stays visible while it is reloaded, whatever fails, and is not kept for the next member', async () => {
    callApi.mockResolvedValueOnce({ ...MEMBER, bio: 'x' });
    const { $profile, reloadProfile, rememberUser } = await open(SESSION);
    await vi.waitFor(() => expect($profile.get().data).toBeDefined());
    const seen: unknown[] = [];
    $profile.listen(({ data }) => void seen.push(data?.bio));
    for (let failures = 1; failures <= 3; failures += 1) {
      callApi.mockRejectedValueOnce(new ApiError(503, []));
      reloadProfile();
      await vi.waitFor(() => expect(callApi).toHaveBeenCalledTimes(failures + 1));
      await vi.waitFor(() => expect($profile.get().loading).toBe(false));
    }
    expect(seen.length).toBeGreaterThan(5);
    expect(new Set(seen)).toEqual(new Set(['x']));
    callApi.mockReturnValue(new Promise(() => undefined));
    rememberUser({ ...MEMBER, id: 'u2' });
    await vi.waitFor(() => expect($profile.get()).toMatchObject({ loading: true }));
    await vi.waitFor(() => expect($profile.get().data).toBeUndefined());
  });

  it('is reloaded for a member who returns after another was logged in', async () => {
    callApi.mockImplementation(() => Promise.resolve({ ...MEMBER, bio: 'one' }));
    const { $profile, rememberUser } = await open(SESSION);
    await vi.waitFor(() => expect($profile.get().data).toBeDefined());
    callApi.mockImplementation(() => Promise.resolve({ ...MEMBER, id: 'u2', bio: 'two' }));
    rememberUser({ ...MEMBER, id: 'u2' });
    await vi.waitFor(() => expect($profile.get().data?.bio).toBe('two'));
    callApi.mockImplementation(() => Promise.resolve({ ...MEMBER, bio: 'three' }));
    rememberUser(MEMBER);
    await vi.waitFor(() => expect($profile.get().data?.bio).toBe('three'));
  });
});

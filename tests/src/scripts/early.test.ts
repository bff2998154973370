// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toSafePath } from '#src/islands/account/redirects.ts';

const toRedirect = (path: string) => window.early?.toRedirect(new URL(path, 'https://site.example'));

async function load(isMember: boolean) {
  vi.resetModules();
  localStorage.clear();
  if (isMember) {
    localStorage.setItem('token', 'access');
    localStorage.setItem('auth', '{"isAuthenticated":true}');
  }
  history.replaceState(null, '', '/');
  await import('#src/scripts/early.ts');
}

describe('the address of a member page', () => {
  beforeEach(() => load(false));

  it.each(['/profile#personal-info', '/profile', '/profile?x=1#upload', '/profile/statement?month=2026-11'])(
    'sends a stranger to log-in, and back to the full address: %s',
    (path) => {
      const place = toRedirect(path) ?? '';
      expect(place).toMatch(/^\/login\?redirect=/);
      const { searchParams, hash } = new URL(place, 'https://site.example');
      expect([toSafePath(searchParams.get('redirect')), hash]).toEqual([path, '']);
    },
  );

  it('leads to no other place, whatever follows it', () => {
    const place = toRedirect('/profile#&redirect=//evil.example') ?? '';
    const { searchParams } = new URL(place, 'https://site.example');
    expect(searchParams.getAll('redirect')).toEqual(['/profile#&redirect=//evil.example']);
    expect(toSafePath(searchParams.get('redirect'))).toBe('/profile#&redirect=//evil.example');
  });

  it('admits members', async () => {
    await load(true);
    expect(toRedirect('/profile#personal-info')).toBeNull();
  });
});

describe('a press on もっと見る before the script of the shell has come', () => {
  const press = async (keys: MouseEventInit) => {
    await load(false);
    document.body.innerHTML = '<a id="more" href="/sounds?to=2">もっと見る</a>';
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...keys });
    document.getElementById('more')!.dispatchEvent(event);
    return [event.defaultPrevented, window.early?.presses.length];
  };

  it.each<[MouseEventInit, boolean, number]>([
    [{}, true, 1],
    [{ ctrlKey: true }, false, 0],
    [{ metaKey: true }, false, 0],
    [{ shiftKey: true }, false, 0],
  ])('with %o: is stored unless a key opens it elsewhere', async (keys, isStored, count) => {
    expect(await press(keys)).toEqual([isStored, count]);
  });
});

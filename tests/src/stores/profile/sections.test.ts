// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useStores } from '../../support/stores.ts';

/** A document as after a page load: with the inline script of the head. */
async function load() {
  vi.resetModules();
  vi.stubGlobal('document', document.implementation.createHTMLDocument());
  document.body.innerHTML = '<a href="/profile" data-upload>アップロード</a>';
  await import('#src/scripts/early.ts');
  return import('#src/stores/profile/sections.ts');
}
const press = (init: MouseEventInit = {}) => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
  document.querySelector('a')?.dispatchEvent(event);
  return event;
};

useStores({ clock: true });
beforeEach(() => history.replaceState(null, '', '/'));

describe('a press on the upload button', () => {
  it('is followed by the router, and the profile reads it once', async () => {
    const { $section, followSections } = await load();
    expect(press().defaultPrevented).toBe(false);
    const stop = followSections();
    expect($section.get()).toBe('upload');
    stop();
    expect($section.get()).toBeNull();
    followSections();
    expect($section.get()).toBeNull();
  });

  it('survives full loads and a log-in, and expires', async () => {
    await load();
    press();
    vi.advanceTimersByTime(14 * 60_000);
    const profile = await load();
    profile.followSections();
    expect(profile.$section.get()).toBe('upload');
    press();
    vi.advanceTimersByTime(16 * 60_000);
    const later = await load();
    later.followSections();
    expect(later.$section.get()).toBeNull();
  });

  it('loads nothing on the profile itself', async () => {
    const { $section, followSections } = await load();
    followSections();
    expect(press().defaultPrevented).toBe(true);
    expect($section.get()).toBe('upload');
    expect(sessionStorage.getItem('upload')).toBeNull();
    expect(press({ ctrlKey: true }).defaultPrevented).toBe(false);
  });
});

describe('the fragment of the profile’s address', () => {
  it.each([
    ['#personal-info', 'personal-info'],
    ['#upload', 'upload'],
    ['#elsewhere', null],
    ['', null],
  ])('%s names the section %s', async (hash, section) => {
    const { $section, followSections } = await load();
    history.replaceState(null, '', `/profile${hash}`);
    followSections();
    expect($section.get()).toBe(section);
  });

  it.each(['keydown', 'pointerdown'])(
    'no longer scrolls the page once the visitor interacts: %s',
    async (type) => {
      const { $section, followSections } = await load();
      history.replaceState(null, '', '/profile#personal-info');
      followSections();
      document.dispatchEvent(new Event(type));
      expect($section.get()).toBeNull();
    },
  );
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

async function open() {
  vi.resetModules();
  const { watchPlaces } = await import('../../../src/scripts/places.ts');
  const store = await import('../../../src/stores/places.ts');
  watchPlaces();
  return store;
}
const press = (init: MouseEventInit = {}) => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
  document.querySelector('a')?.dispatchEvent(event);
  return event;
};
const pageLoad = (path: string) => {
  history.replaceState(null, '', path);
  document.dispatchEvent(new Event('astro:page-load'));
};

beforeEach(() => {
  // Listeners of an earlier test stay on its document.
  vi.stubGlobal('document', document.implementation.createHTMLDocument());
  document.body.innerHTML = '<a href="/profile" data-place="upload">アップロード</a>';
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
afterEach(() => vi.unstubAllGlobals());

describe('a press on a link to a place', () => {
  it('is followed by the router, and the page that has the place knows it', async () => {
    const { $place, followPlaces } = await open();
    expect(press().defaultPrevented).toBe(false);
    pageLoad('/login?redirect=%2Fprofile');
    pageLoad('/profile');
    followPlaces();
    expect($place.get()).toBe('upload');
  });

  it('lasts over a full load of the next page, and once', async () => {
    await open();
    press();
    const { $place, followPlaces } = await open();
    pageLoad('/profile');
    const stop = followPlaces();
    expect($place.get()).toBe('upload');
    stop();
    expect($place.get()).toBeNull();
    followPlaces();
    expect($place.get()).toBeNull();
  });

  it('is forgotten by who goes elsewhere instead', async () => {
    const { $place, followPlaces } = await open();
    press();
    pageLoad('/sounds');
    pageLoad('/profile');
    followPlaces();
    expect($place.get()).toBeNull();
  });

  it('loads nothing on the page that has the place', async () => {
    const { $place, followPlaces } = await open();
    followPlaces();
    expect(press().defaultPrevented).toBe(true);
    expect($place.get()).toBe('upload');
    expect(sessionStorage.getItem('place')).toBeNull();
  });

  it('into a new tab is that tab’s', async () => {
    const { $place, followPlaces } = await open();
    press({ ctrlKey: true });
    followPlaces();
    expect($place.get()).toBeNull();
  });
});

describe('the address of a page', () => {
  it.each([
    ['#personal-info', 'personal-info'],
    ['#upload', 'upload'],
    ['#elsewhere', null],
    ['', null],
  ])('%s names the place %s', async (hash, place) => {
    const { $place, followPlaces } = await open();
    history.replaceState(null, '', `/profile${hash}`);
    followPlaces();
    expect($place.get()).toBe(place);
  });

  it.each(['keydown', 'pointerdown'])(
    'is not gone to any more once somebody has begun with something: %s',
    async (type) => {
      const { $place, followPlaces } = await open();
      history.replaceState(null, '', '/profile#personal-info');
      followPlaces();
      document.dispatchEvent(new Event(type));
      expect($place.get()).toBeNull();
    },
  );
});

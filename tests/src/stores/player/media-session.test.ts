// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { FakeAudio } from '../../support/fake-audio.ts';
import { useStores } from '../../support/stores.ts';

const ACTIONS = ['play', 'pause', 'nexttrack', 'previoustrack', 'seekto', 'seekforward', 'seekbackward'];

let handlers: Map<string, unknown>;

useStores();
beforeEach(() => {
  handlers = new Map();
  vi.resetModules();
  vi.restoreAllMocks();
  Object.defineProperty(navigator, 'mediaSession', {
    configurable: true,
    value: {
      setActionHandler: (action: string, handler: unknown) => void handlers.set(action, handler),
      setPositionState: () => undefined,
    },
  });
});

const listActions = () => [...handlers].filter(([, handler]) => handler !== null).map(([action]) => action);

async function follow(): Promise<FakeAudio> {
  const { followPlayer } = await import('#src/stores/player/media-session.ts');
  const audio = new FakeAudio();
  const act = () => undefined;
  const keys = { resumePlayback: act, pausePlayback: act, playNext: act, playPrevious: act, jump: act };
  followPlayer(audio as unknown as HTMLAudioElement, { ...keys, seekTo: act });
  return audio;
}

it('gives all keys to the browser, again whenever a sound starts, because WebKit forgets them', async () => {
  const audio = await follow();
  expect(listActions().toSorted()).toEqual(ACTIONS.toSorted());
  handlers.clear();
  audio.dispatchEvent(new Event('playing'));
  expect(listActions().toSorted()).toEqual(ACTIONS.toSorted());
});

it('leaves the keys of the lock screen to the previous and the next sound on iOS', async () => {
  // Only the keys of the device set the volume.
  vi.spyOn(HTMLMediaElement.prototype, 'volume', 'get').mockReturnValue(1);
  await follow();
  expect(listActions()).toEqual(['play', 'pause', 'nexttrack', 'previoustrack', 'seekto']);
});

it('offers no seeking in a file that can only be played from its start', async () => {
  const { $canSeek } = await import('#src/stores/player/state.ts');
  await follow();
  $canSeek.set(false);
  expect(listActions()).toEqual(['play', 'pause', 'nexttrack', 'previoustrack']);
});

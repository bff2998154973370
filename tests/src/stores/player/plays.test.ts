// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeAudio } from '../../support/fake-audio.ts';
import { callApi, setExtended, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

let actions: typeof import('#src/stores/player/actions.ts');

const MARKS = {
  mark: () => undefined,
  isStorageOff: false,
  presses: [],
  queuePress: () => undefined,
  islands: [],
  toRedirect: () => null,
};
const press = async (id: string, audio?: FakeAudio) => {
  const button = document.querySelector<HTMLElement>(`[data-sound="${id}"] [data-play]`);
  if (!button) throw new Error(id);
  if (audio) {
    window.early = { ...MARKS, audio: audio as never, button };
    actions.startPlayer();
  } else actions.pressPlay(button);
  await vi.advanceTimersByTimeAsync(0);
  await vi.dynamicImportSettled();
};
/** Plays on in the steps of an audio element. */
const hear = (fromSec: number, untilSec: number) => {
  for (let sec = fromSec; sec <= untilSec; sec += 0.25) FakeAudio.last?.reach(sec);
};
const listSent = () => callApi.mock.calls.map(([{ path }, { body }]) => [path, body]);
const send = () => vi.advanceTimersByTimeAsync(5_000);

useStores({ isExtended: true, clock: true });
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('Audio', FakeAudio);
  vi.stubGlobal('BroadcastChannel', undefined);
  callApi.mockResolvedValue({});
  history.replaceState(null, '', '/sounds');
  const toCard = (id: string, more = '') => `<li><article data-sound="${id}" data-duration-ms="60000" ${more}>
    <button data-play="/media/${id}.mp3" data-label="${id}"></button></article></li>`;
  document.body.innerHTML = `
    <ul data-queue="search 雨  風">${toCard('a')}${toCard('b')}</ul>
    <div data-queue="sound">${toCard('page')}<ul data-queue="similar">${toCard('like')}</ul></div>
    <ul data-queue>${toCard('own', 'data-private')}${toCard('short').replace('60000', '800')}</ul>`;
  window.early = { ...MARKS };
  actions = await import('#src/stores/player/actions.ts');
});

describe('a play', () => {
  it('is reported after five seconds, once, with where it began and the search, and with the next ones', async () => {
    await press('a');
    hear(0, 4.5);
    await send();
    expect(listSent()).toEqual([]);
    hear(4.75, 30);
    FakeAudio.last?.dispatchEvent(new Event('ended'));
    await vi.advanceTimersByTimeAsync(0);
    hear(0, 6);
    await send();
    const found = { source: 'search', search: '雨  風' };
    const plays = [
      { sound: 'a', ...found },
      { sound: 'b', ...found },
    ];
    expect(listSent()).toEqual([['/api/plays/', { plays }]]);
    expect(callApi.mock.calls[0]?.[1]).toMatchObject({ keepalive: true });
  });

  it('is sent at once when the page is hidden', async () => {
    await press('like');
    hear(0, 6);
    expect(listSent()).toEqual([]);
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    expect(listSent()).toEqual([['/api/plays/', { plays: [{ sound: 'like', source: 'similar' }] }]]);
    Reflect.deleteProperty(document, 'visibilityState');
  });

  it('of a page that was opened from a feed says so, and one of no list is from elsewhere', async () => {
    history.replaceState(null, '', '/sounds/page#feed');
    await press('page');
    hear(0, 6);
    await press('short');
    hear(0, 0.75);
    await send();
    expect(listSent()).toEqual([
      [
        '/api/plays/',
        {
          plays: [
            { sound: 'page', source: 'feed' },
            { sound: 'short', source: 'elsewhere' },
          ],
        },
      ],
    ]);
  });

  it('of a short sound that has ended while the script was loading is reported too', async () => {
    const audio = new FakeAudio();
    audio.currentTime = 0.8;
    await press('short', audio);
    await send();
    expect(listSent()).toHaveLength(1);
  });

  it('is not reported for jumps, for private sounds, or while it is paused', async () => {
    await press('a');
    for (const sec of [0, 10, 20, 30]) FakeAudio.last?.reach(sec);
    actions.pausePlayback();
    hear(30, 40);
    await press('own');
    hear(0, 20);
    await send();
    expect(listSent()).toEqual([]);
  });

  it('is not reported to a host that is not extended', async () => {
    setExtended(false);
    await press('a');
    hear(0, 20);
    await send();
    expect(listSent()).toEqual([]);
  });
});

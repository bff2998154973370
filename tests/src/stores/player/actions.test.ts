// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeAudio } from '../../support/fake-audio.ts';
import { MEMBER, useStores } from '../../support/stores.ts';

type Actions = typeof import('#src/stores/player/actions.ts');
type Player = typeof import('#src/stores/player/player.ts');

let actions: Actions;
let player: Player;
let session: typeof import('#src/stores/session/session.ts');

const tick = () => vi.advanceTimersByTimeAsync(0);
const button = (id: string) => document.querySelector<HTMLElement>(`[data-sound="${id}"] [data-play]`)!;
const play = async (id: string) => {
  actions.pressPlay(button(id));
  await tick();
};
const end = () => FakeAudio.last?.dispatchEvent(new Event('ended'));
const state = () => player.$playback.get().state;
const current = () => player.$track.get()?.id;
const comeBack = () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));

const MARKS = {
  mark: () => undefined,
  isStorageOff: false,
  presses: [],
  queuePress: () => undefined,
  islands: [],
  toRedirect: () => null,
};

const setSeries = (series: Record<string, string>) => {
  for (const [id, value] of Object.entries(series))
    button(id).closest<HTMLElement>('[data-sound]')!.dataset['series'] = value;
};

/** A page with three cards, and freshly loaded player modules. */
async function loadPage() {
  vi.resetModules();
  FakeAudio.last = undefined;
  vi.stubGlobal('Audio', FakeAudio);
  vi.stubGlobal('BroadcastChannel', undefined);
  document.body.innerHTML = `<ul data-queue>${['a', 'b', 'c']
    .map(
      (id) => `<li><article data-sound="${id}" data-duration-ms="60000">
        <button data-play="/media/${id}.mp3" data-label="Title ${id}"></button>
        <a data-title>Title ${id}</a><span data-artist>Artist</span>
        <svg><path data-wave="3e6"/></svg></article></li>`,
    )
    .join('')}</ul>`;
  window.early = { ...MARKS };
  session = await import('#src/stores/session/session.ts');
  player = await import('#src/stores/player/player.ts');
  actions = await import('#src/stores/player/actions.ts');
}

useStores({ clock: true });
beforeEach(loadPage);

describe('the player', () => {
  it('plays a pressed card and queues the list around it', async () => {
    await play('b');
    expect(FakeAudio.last?.src).toBe('/media/b.mp3');
    expect(state()).toBe('playing');
    expect(player.$queue.get().map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(player.$track.get()).toMatchObject({
      title: 'Title b',
      artist: 'Artist',
      wave: '3e6',
      durationSec: 60,
    });
  });

  it('keeps the length of the card while the file’s differs slightly', async () => {
    await play('b');
    const file = FakeAudio.last!;
    file.duration = 59.9;
    file.reach(59.9);
    expect(player.$playTime.get()).toEqual({ currentSec: 59.9, durationSec: 60 });
    file.duration = 75;
    file.reach(61);
    expect(player.$playTime.get()).toEqual({ currentSec: 61, durationSec: 75 });
  });

  it('marks the playing card and no other', async () => {
    await play('b');
    expect(button('b').dataset).toHaveProperty('playing');
    expect(button('b').getAttribute('aria-label')).toBe('Title bを一時停止');
    expect(button('a').dataset).not.toHaveProperty('playing');
    actions.pressPlay(button('b'));
    expect(FakeAudio.last?.paused).toBe(true);
    expect(button('b').dataset).not.toHaveProperty('playing');
  });

  it('sets the volume of a measured sound before its file, and leaves others unchanged', async () => {
    for (const [id, gain] of [
      ['a', '0.5'],
      ['b', '7'],
    ] as const)
      button(id).closest<HTMLElement>('[data-sound]')!.dataset['gain'] = gain;
    player.setVolume(0.8);
    const volumes: number[] = [];
    vi.spyOn(FakeAudio.prototype, 'src', 'set').mockImplementation(function note(this: FakeAudio) {
      volumes.push(this.volume);
    });
    for (const id of ['a', 'b', 'c', 'a']) actions.pressPlay(button(id));
    expect(volumes).toEqual([0.4, 0.8, 0.8, 0.4]);
    expect(player.$volume.get()).toBe(0.8);
    vi.restoreAllMocks();
  });

  it('follows the volume and the setting while a measured sound plays', async () => {
    button('a').closest<HTMLElement>('[data-sound]')!.dataset['gain'] = '0.5';
    await play('a');
    player.setVolume(0.6);
    expect(FakeAudio.last?.volume).toBe(0.3);
    player.toggleLevel();
    expect(FakeAudio.last?.volume).toBe(0.6);
    expect(localStorage.getItem('player:level')).toBe('false');
    player.toggleLevel();
    expect(FakeAudio.last?.volume).toBe(0.3);
    actions.closePlayer();
    actions.pressPlay(button('b'));
    expect(FakeAudio.last?.volume).toBe(0.6);
  });

  it('wraps around at both ends of the queue (spec §2)', async () => {
    actions.pressPlay(button('c'));
    actions.playNext();
    expect(current()).toBe('a');
    actions.playPrevious();
    expect(current()).toBe('c');
  });

  it('continues with the next sound when one ends', async () => {
    await play('a');
    end();
    expect(current()).toBe('b');
  });

  it('continues with the next sound of the same type', async () => {
    setSeries({ a: '1', b: '', c: '1' });
    await play('a');
    end();
    expect(current()).toBe('c');
  });

  it('ends after an effect, whatever comes next; the buttons lead on', async () => {
    setSeries({ a: '', b: '', c: '1' });
    await play('a');
    end();
    expect(current()).toBe('a');
    actions.playNext();
    actions.playNext();
    expect(current()).toBe('c');
    actions.playNext();
    expect(current()).toBe('a');
  });

  it('ends after an effect that fails, too', async () => {
    setSeries({ a: '', b: '' });
    await play('a');
    FakeAudio.last?.break();
    await vi.advanceTimersByTimeAsync(2000);
    expect(current()).toBe('a');
  });

  it.each([
    ['that ends', () => end()],
    ['that fails', () => FakeAudio.last?.break()],
  ])('starts nothing after a sound %s while this is held, and continues afterwards', async (_, stop) => {
    await play('a');
    const release = actions.holdFollowers();
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(current()).toBe('a');
    release();
    expect(current()).toBe('b');
  });

  it('starts nothing after the hold if somebody has pressed play or close meanwhile', async () => {
    await play('a');
    for (const act of [() => actions.togglePlayback(), actions.closePlayer]) {
      const release = actions.holdFollowers();
      end();
      FakeAudio.last!.paused = true;
      act();
      const after = current();
      release();
      expect(current()).toBe(after);
    }
  });

  it('stops at the end of the queue: only the buttons wrap around', async () => {
    await play('c');
    FakeAudio.last!.paused = true;
    FakeAudio.last?.dispatchEvent(new Event('pause'));
    end();
    await tick();
    expect(current()).toBe('c');
    expect(FakeAudio.last?.paused).toBe(true);
  });

  it('skips neighbours that are known to be broken', async () => {
    await play('b');
    FakeAudio.last?.break();
    await vi.advanceTimersByTimeAsync(2000);
    await play('a');
    end();
    expect(current()).toBe('c');
  });

  it('fails when the browser rejects the file, and only pauses when it requires a press first', async () => {
    vi.spyOn(FakeAudio.prototype, 'play').mockRejectedValueOnce(
      new DOMException('no source', 'NotSupportedError'),
    );
    await play('c');
    expect(state()).toBe('failed');
    vi.spyOn(FakeAudio.prototype, 'play').mockRejectedValueOnce(new DOMException('press', 'NotAllowedError'));
    await play('a');
    expect(state()).toBe('paused');
  });

  it('seeks by 5 seconds within the sound (spec §9)', async () => {
    actions.pressPlay(button('a'));
    FakeAudio.last?.reach(58);
    actions.jump(1);
    expect(FakeAudio.last?.currentTime).toBe(60);
    actions.seekTo(3);
    actions.jump(-1);
    expect(FakeAudio.last?.currentTime).toBe(0);
  });

  it('does not seek in a file that can only be played from its start, until the browser has all of it', async () => {
    await play('a');
    const file = FakeAudio.last!;
    const { followSeekable } = await import('#src/stores/player/seekable.ts');
    followSeekable(file as unknown as HTMLAudioElement);
    Object.assign(file, { readyState: 1, seekableSec: 0 });
    file.reach(2);
    expect(player.$canSeek.get()).toBe(false);
    actions.jump(1);
    actions.seekTo(30);
    expect([file.currentTime, player.$playTime.get().currentSec]).toEqual([2, 2]);
    file.seekableSec = 60;
    file.dispatchEvent(new Event('progress'));
    actions.jump(1);
    expect(file.currentTime).toBe(7);
    file.seekableSec = 0;
    file.reach(8);
    // The next file may be on another host.
    file.readyState = 0;
    file.dispatchEvent(new Event('emptied'));
    expect(player.$canSeek.get()).toBe(true);
  });

  it('changes the volume in steps of a tenth between silent and full, and stores it', async () => {
    actions.startPlayer();
    player.stepVolume(1);
    expect(player.$volume.get()).toBe(1);
    player.stepVolume(-1);
    player.stepVolume(-1);
    expect(player.$volume.get()).toBe(0.8);
    expect(FakeAudio.last?.volume).toBe(0.8);
    expect(localStorage.getItem('player:volume')).toBe('0.8');
    for (let step = 0; step < 12; step += 1) player.stepVolume(-1);
    expect(player.$volume.get()).toBe(0);
  });

  it('reports a failed file and continues, without looping forever', async () => {
    await play('a');
    FakeAudio.last?.break();
    expect(state()).toBe('failed');
    expect([...player.$failedIds.get()]).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(current()).toBe('b');
    FakeAudio.last?.break();
    await vi.advanceTimersByTimeAsync(2000);
    FakeAudio.last?.break();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(current()).toBe('c');
    expect(state()).toBe('failed');
  });

  it.each([
    ['is pressed again', () => actions.pressPlay(button('a'))],
    ['gets the play key', () => actions.togglePlayback()],
  ])('retries a failed sound that %s', async (_, retry) => {
    await play('a');
    FakeAudio.last?.break();
    expect(state()).toBe('failed');
    retry();
    await tick();
    expect(FakeAudio.last?.src).toBe('/media/a.mp3');
    expect(state()).toBe('playing');
    expect(player.$failedIds.get().size).toBe(0);
  });

  it('takes over a sound that started before the player had loaded', async () => {
    const audio = new FakeAudio();
    audio.src = '/media/b.mp3';
    audio.paused = false;
    audio.readyState = 4;
    audio.currentTime = 1.5;
    window.early = { audio: audio as unknown as HTMLAudioElement, button: button('b'), ...MARKS };
    actions.startPlayer();
    expect(FakeAudio.last).toBe(audio);
    expect(current()).toBe('b');
    expect(state()).toBe('playing');
    expect(player.$playTime.get().currentSec).toBe(1.5);
    expect(window.early?.press).toBe(actions.pressPlay);
  });

  it('restores queue, place and position after a reload, and waits for a press', async () => {
    await play('b');
    FakeAudio.last?.reach(12.3);
    await loadPage();
    actions.startPlayer();
    expect(current()).toBe('b');
    expect(state()).toBe('paused');
    expect(FakeAudio.last?.src).toBe('');
    actions.togglePlayback();
    expect(FakeAudio.last?.src).toBe('/media/b.mp3');
    expect(FakeAudio.last?.currentTime).toBe(12.3);
  });

  it('restores the tab’s own sound after a reload, and gives a new tab that of the last one', async () => {
    await play('b');
    FakeAudio.last?.reach(12.3);
    const firstTab = { ...sessionStorage };
    sessionStorage.clear();
    await loadPage();
    expect([current(), player.$queue.get().length]).toEqual(['b', 3]);
    actions.playTrack({ ...player.$queue.get()[2]!, id: 'z' });
    const openTab = async (stored: Record<string, string>) => {
      sessionStorage.clear();
      Object.assign(sessionStorage, stored);
      await loadPage();
      actions.startPlayer();
      return [current(), player.$queue.get().length, player.$playTime.get().currentSec];
    };
    expect(await openTab(firstTab)).toEqual(['b', 3, 12.3]);
    expect(await openTab({})).toEqual(['z', 1, 0]);
    await openTab(firstTab);
    actions.seekTo(20);
    expect(await openTab({})).toEqual(['b', 3, 20]);
    actions.closePlayer();
    expect(await openTab({})).toEqual([undefined, 0, 0]);
    expect(await openTab(firstTab)).toEqual(['b', 3, 12.3]);
  });

  it('is paused at its place on a page that is frozen, and plays on from there', async () => {
    await play('b');
    FakeAudio.last?.reach(12.34);
    window.dispatchEvent(new Event('pagehide'));
    expect([state(), FakeAudio.last?.paused, button('b').dataset['playing']]).toEqual([
      'paused',
      true,
      undefined,
    ]);
    comeBack();
    expect([state(), player.$playTime.get()]).toEqual(['paused', { currentSec: 12.34, durationSec: 60 }]);
    actions.resumePlayback();
    await tick();
    expect([FakeAudio.last?.src, FakeAudio.last?.currentTime, state()]).toEqual([
      '/media/b.mp3',
      12.34,
      'playing',
    ]);
  });

  it('shows on a page that comes back what its tab has played meanwhile', async () => {
    await play('b');
    window.dispatchEvent(new Event('pagehide'));
    const other = { ...player.$queue.get()[0], id: 'other', title: 'Other' };
    sessionStorage.setItem('player:queue', JSON.stringify([other]));
    sessionStorage.setItem('player:track', 'other');
    sessionStorage.setItem('player:position', '7');
    comeBack();
    expect([state(), current(), player.$playTime.get().currentSec]).toEqual(['paused', 'other', 7]);
    sessionStorage.setItem('player:track', '');
    comeBack();
    expect([state(), current()]).toEqual(['idle', undefined]);
  });

  it('sets a place again that the browser ignored before it had read the file', async () => {
    await play('a');
    actions.playTrack(player.$queue.get()[1]!, player.$queue.get(), 20);
    const file = FakeAudio.last!;
    file.currentTime = 0;
    file.dispatchEvent(new Event('loadedmetadata'));
    expect(file.currentTime).toBe(20);
    // Not for the next sound.
    actions.playTrack(player.$queue.get()[2]!, player.$queue.get(), 30);
    actions.playTrack(player.$queue.get()[0]!);
    file.dispatchEvent(new Event('loadedmetadata'));
    expect(file.currentTime).toBe(0);
  });

  it('plays where the browser denies messages between tabs', async () => {
    vi.stubGlobal('BroadcastChannel', function deny() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    vi.resetModules();
    const denied = await import('#src/stores/player/actions.ts');
    denied.pressPlay(button('a'));
    await tick();
    expect(FakeAudio.last?.paused).toBe(false);
  });

  it('ignores unreadable storage', async () => {
    for (const [queue, volume] of [
      ['{"a":1}', 'loud'],
      ['[null]', '5'],
      ['[{"id":"a"}]', '-1'],
    ] as const) {
      sessionStorage.clear();
      localStorage.setItem('player:queue', queue);
      localStorage.setItem('player:volume', volume);
      await loadPage();
      actions.startPlayer();
      expect(player.$queue.get()).toEqual([]);
      expect(player.$volume.get()).toBe(1);
      expect(current()).toBeUndefined();
    }
  });

  it('stops and clears its queue when it is closed', async () => {
    await play('a');
    actions.closePlayer();
    expect(FakeAudio.last?.paused).toBe(true);
    expect(state()).toBe('idle');
    expect(localStorage.getItem('player:queue')).toBe('[]');
    expect(document.documentElement.hasAttribute('data-player')).toBe(false);
  });
});

describe('a private sound', () => {
  beforeEach(() => {
    session.rememberUser(MEMBER);
    document.querySelector<HTMLElement>('[data-sound="b"]')!.dataset['private'] = '';
  });

  it.each([
    ['logs out', () => session.forgetSession()],
    ['turns out to be another', () => session.rememberUser({ ...MEMBER, id: '2' })],
  ])('stops and is removed when its artist %s', async (_, leave) => {
    await play('b');
    leave();
    expect([FakeAudio.last?.paused, FakeAudio.last?.src]).toEqual([true, '']);
    expect(document.documentElement.hasAttribute('data-player')).toBe(false);
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('Title b');
    await loadPage();
    actions.startPlayer();
    expect(player.$queue.get()).toEqual([]);
  });

  it('is removed from a tab that is restored after a log-out', async () => {
    await play('b');
    const restored = { ...sessionStorage };
    session.forgetSession();
    Object.assign(sessionStorage, restored);
    await loadPage();
    actions.startPlayer();
    expect(player.$queue.get()).toEqual([]);
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('Title b');
  });

  it('is removed from the queue, and the public one continues to play', async () => {
    await play('a');
    session.forgetSession();
    expect(state()).toBe('playing');
    expect(player.$queue.get().map(({ id }) => id)).toEqual(['a', 'c']);
    expect(localStorage.getItem('player:queue')).not.toContain('Title b');
  });

  it('continues to play while its artist only changes their name', async () => {
    await play('b');
    session.rememberUser({ ...MEMBER, username: '新しい名前' });
    expect(state()).toBe('playing');
  });
});

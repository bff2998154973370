// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Notice } from '#contract/downloads/ads.ts';
import { type GptScenario, installGoogletag } from '../../../fakes/googletag.ts';
import {
  FakeHost,
  FakeLocks,
  PICTURE,
  SOUND,
  dialogs,
  leavePage,
  offline,
  openTab,
  pressButton,
  refusal,
  watchBrowser,
} from '../../support/download-tab.ts';
import { FakeAudio } from '../../support/fake-audio.ts';

const OTHER = { ...SOUND, id: '8', title: '風' };
const DAY_MS = 86_400_000;
const NO_AD = '広告が表示されませんでした。';
const REWARDED = 'log=true&intent=intent-1&provider=house';
const BY_GPT = 'log=true&intent=intent-1&provider=gpt';

let host: FakeHost;
let browser: ReturnType<typeof watchBrowser>;
let errors: unknown[][];
let warnings: unknown[][];

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    shouldAdvanceTime: true,
    advanceTimeDelta: 50,
  });
  localStorage.clear();
  host = new FakeHost();
  vi.stubGlobal('fetch', host.fetch);
  vi.stubGlobal('Audio', FakeAudio);
  vi.stubGlobal('BroadcastChannel', undefined);
  browser = watchBrowser();
  errors = [];
  warnings = [];
  vi.spyOn(console, 'error').mockImplementation((...parts) => void errors.push(parts));
  vi.spyOn(console, 'warn').mockImplementation((...parts) => void warnings.push(parts));
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

afterEach(async () => {
  // What follows a file loads asynchronously.
  await vi.dynamicImportSettled();
  leavePage();
  document.body.innerHTML = '';
  Reflect.deleteProperty(window, 'googletag');
  Reflect.deleteProperty(window, 'gptRecord');
  Reflect.deleteProperty(navigator, 'locks');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  expect(errors.filter(([text]) => text !== 'Failed to fetch the sound file.')).toEqual([]);
});

/** Agrees to the advertisement of a network, and shows it. */
async function showAd(tab: Awaited<ReturnType<typeof openTab>>, sound = SOUND) {
  const { pressed } = await tab.consent(sound);
  await tab.answer('ready');
  await tab.until('external-ad');
  return { pressed };
}

/** A tab that shows an advertisement of a network. */
async function openWithAd(scenario: GptScenario, sound = SOUND) {
  installGoogletag(scenario);
  const tab = await openTab({ ads: 'gpt' });
  return { tab, ...(await showAd(tab, sound)) };
}

const followUp = (notice: Notice | null = null, certificate: string | null = null) => {
  return { sound: SOUND, notice, certificate };
};

describe('a download', () => {
  it('asks, shows the notice, is logged once, and the file follows half a second later', async () => {
    const tab = await openTab();
    const pressed = tab.press();
    await tab.until('asking');
    expect(host.calls).toEqual([]);
    tab.answerDownload(true);
    const watch = await tab.startNotice();
    expect([tab.$download.get()?.state, host.queries()]).toEqual(['watching', []]);
    let grantedAt = 0;
    void watch.outcome.then(() => (grantedAt = Date.now()));
    await vi.advanceTimersByTimeAsync(5_000);
    await pressed;
    expect(host.queries()).toEqual([REWARDED]);
    expect(browser.saved.map(({ name }) => name)).toEqual(['雨 - 音の人.mp3']);
    expect(browser.saved[0]!.at - grantedAt).toBeGreaterThanOrEqual(500);
    await vi.waitFor(() => expect(tab.$followUp.get()).toEqual(followUp()));
    expect([tab.$download.get(), tab.$downloading.get()['7'], errors]).toEqual([null, undefined, []]);
    await vi.waitFor(() => expect(host.all('notice')).toHaveLength(2));
    const calls = host.calls.map(({ name }) => name);
    expect(calls.join(' ')).toBe('begin notice watching watching url file notice');
    expect(host.all('watching').map(({ body }) => body)).toEqual([
      { state: 'begin', notice: 'spring' },
      { state: 'end', notice: 'spring' },
    ]);
  });

  it('shows and keeps its certificate', async () => {
    host.certificate = 'c1';
    const tab = await openTab();
    await tab.earn();
    await vi.waitFor(() => expect(tab.$followUp.get()).toEqual(followUp(null, 'c1')));
    const { readStoredCertificates } = await import('#src/stores/certificates/certificates.ts');
    expect(readStoredCertificates()).toEqual([
      { id: 'c1', issued_at: expect.any(String) as string, sound_title: '雨', artist: '音の人' },
    ]);
  });

  it('without an advertisement says so, continues at once and earns nothing', async () => {
    host.notice = null;
    const tab = await openTab();
    const { pressed } = await tab.consent();
    await pressed;
    await vi.waitFor(() => expect(dialogs()).toEqual([expect.stringContaining(NO_AD)]));
    expect(host.queries()).toEqual(['log=false&intent=intent-1&provider=none']);
    expect(browser.saved).toHaveLength(1);
  });

  it('is not made when its notice is closed; the person may try again', async () => {
    const tab = await openTab();
    const { pressed } = await tab.consent();
    (await tab.startNotice()).giveUp();
    await tab.answer('dismissed');
    (await tab.startNotice()).giveUp();
    await tab.until('dismissed');
    expect(host.queries()).toEqual([]);
    tab.answerDownload(true);
    await tab.watchNotice();
    await pressed;
    expect(host.queries()).toEqual([REWARDED]);
    expect(host.all('begin')).toHaveLength(1);
  });

  it('continues with the next provider when one had nothing to show, without asking again', async () => {
    installGoogletag('show-returns-false');
    const tab = await openTab({ ads: 'gpt,house' });
    const { pressed } = await tab.consent();
    await tab.answer('ready');
    await tab.watchNotice();
    await pressed;
    expect(host.queries()).toEqual([REWARDED]);
    expect(window.gptRecord?.slots).toBe(0);
  });

  it('shows an advertisement that needs a press within that press', async () => {
    const { calls } = installGoogletag('granted');
    const tab = await openTab({ ads: 'gpt' });
    const { pressed } = await tab.consent();
    await tab.until('ready');
    expect(calls).not.toContain('makeRewardedVisible');
    tab.answerDownload(true);
    expect(calls).toContain('makeRewardedVisible');
    await pressed;
    expect(host.queries()).toEqual([BY_GPT]);
    expect(window.gptRecord).toMatchObject({ slots: 0, listeners: 0 });
  });

  it('offers to close an advertisement that is visible for three minutes, and again after a minute', async () => {
    const { tab, pressed } = await openWithAd('never-ends');
    await vi.advanceTimersByTimeAsync(100_000);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(30_000);
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(75_000);
    expect(tab.$download.get()?.state).toBe('external-ad');
    await vi.advanceTimersByTimeAsync(10_000);
    await tab.answer('stuck', false);
    await tab.until('external-ad');
    await vi.advanceTimersByTimeAsync(60_000);
    await tab.answer('stuck');
    await tab.answer('dismissed', false);
    await pressed;
    expect(host.queries()).toEqual([]);
  });

  it('restarts the count for another advertisement', async () => {
    const { tab } = await openWithAd('dismissed');
    await vi.advanceTimersByTimeAsync(10_000);
    Reflect.deleteProperty(window, 'googletag');
    installGoogletag('never-ends');
    await tab.answer('dismissed');
    await tab.answer('ready');
    await vi.advanceTimersByTimeAsync(175_000);
    expect(tab.$download.get()?.state).toBe('external-ad');
    await vi.advanceTimersByTimeAsync(5_000);
    await tab.until('stuck');
  });

  it('that was granted is made even if the page was left before the advertisement was closed', async () => {
    const { tab, pressed } = await openWithAd('granted-never-closed');
    await vi.advanceTimersByTimeAsync(600);
    const { url } = host.answers;
    host.answers.url = () => refusal(503);
    leavePage();
    await pressed;
    host.answers.url = url;
    await tab.press();
    expect(window.gptRecord?.calls.filter((call) => call === 'makeRewardedVisible')).toHaveLength(1);
    expect(host.queries()).toEqual([BY_GPT, BY_GPT]);
    expect(browser.saved).toHaveLength(1);
  });

  it('makes the page behind a third-party advertisement unreachable, and reachable again afterwards', async () => {
    const inert = () =>
      [...document.querySelectorAll('header,main,footer')].map((one) => one.hasAttribute('inert'));
    for (const leave of [false, true]) {
      Reflect.deleteProperty(window, 'googletag');
      document.body.innerHTML = '<header></header><main id="main"></main><footer inert></footer>';
      const { tab, pressed } = await openWithAd('dismissed', { ...SOUND, id: String(leave) });
      expect(inert()).toEqual([true, true, true]);
      if (leave) leavePage();
      else await vi.advanceTimersByTimeAsync(2_600);
      if (!leave) await tab.answer('dismissed', false);
      expect(inert()).toEqual([false, false, true]);
      await pressed;
    }
  });

  it('asks before a load of another page that would lose the file, and only then', async () => {
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { file } = host.answers;
    host.answers.file = async (call) => {
      await promise;
      return file(call);
    };
    const tab = await openTab();
    const { pressed } = await tab.consent();
    const watch = await tab.startNotice();
    expect(isAsked()).toBe(false);
    watch.giveUp();
    await tab.answer('dismissed');
    await tab.watchNotice();
    await vi.waitFor(() => expect(host.all('file')).toHaveLength(1));
    expect([host.queries(), isAsked()]).toEqual([[REWARDED], true]);
    resolve(undefined);
    await pressed;
    expect([browser.saved.length, isAsked()]).toEqual([1, false]);
  });

  it('is cancelled when the person cancels while the advertisement loads, or navigates', async () => {
    host.answers.notice = () => new Promise(() => {});
    const tab = await openTab();
    const { pressed: cancelled } = await tab.consent();
    await vi.waitFor(() => expect(host.all('notice')).toHaveLength(1));
    await tab.answer('preparing', false);
    await cancelled;
    expect(host.all('notice')[0]?.signal?.aborted).toBe(true);
    const gone = tab.press();
    await tab.until('asking');
    leavePage();
    await gone;
    expect(host.queries()).toEqual([]);
    expect([tab.$download.get(), dialogs()]).toEqual([null, []]);
  });
});

describe('the player', () => {
  const CARD = { id: 'a', src: '/media/a.mp3', title: 'A', artist: 'B' };
  const TRACK = { ...CARD, thumbnail: null, wave: 'M0', durationSec: 60 };

  async function listen(ads: 'gpt' | 'house' = 'gpt') {
    const tab = await openTab({ ads });
    const { $playback } = await import('#src/stores/player/player.ts');
    const player = await import('#src/stores/player/actions.ts');
    player.playTrack(TRACK);
    await vi.waitFor(() => expect($playback.get().state).toBe('playing'));
    return { tab, player, state: () => $playback.get().state };
  }

  it('pauses while an advertisement is audible, and resumes after it', async () => {
    installGoogletag('granted');
    const { tab, state } = await listen();
    const { pressed } = await showAd(tab);
    expect(state()).toBe('paused');
    await pressed;
    await vi.waitFor(() => expect(state()).toBe('playing'));
  });

  it('that was paused before stays paused', async () => {
    installGoogletag('granted');
    const { tab, player, state } = await listen();
    player.pausePlayback();
    const { pressed } = await showAd(tab);
    await pressed;
    expect(state()).toBe('paused');
  });

  it('also resumes when the advertisement ends before the pause event arrives', async () => {
    installGoogletag('show-returns-false');
    const { tab, state } = await listen();
    vi.spyOn(FakeAudio.prototype, 'pause').mockImplementation(() => undefined);
    const play = vi.spyOn(FakeAudio.prototype, 'play');
    const { pressed } = await tab.consent();
    await tab.answer('ready');
    await pressed;
    expect(play).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(state()).toBe('playing'));
  });

  it.each(['idle', 'failed'] as const)('that is %s by then is left unchanged', async (after) => {
    installGoogletag('granted');
    const { tab, player, state } = await listen();
    const { pressed } = await showAd(tab);
    if (after === 'idle') player.closePlayer();
    else FakeAudio.last?.break();
    await pressed;
    expect(state()).toBe(after);
  });

  it('starts no other sound during a notice, and goes on after it', async () => {
    const { tab, player } = await listen('house');
    player.playTrack(TRACK, [TRACK, { ...TRACK, id: 'b' }]);
    await tab.consent();
    const watch = await tab.startNotice();
    FakeAudio.last?.dispatchEvent(new Event('ended'));
    const { $trackId } = await import('#src/stores/player/player.ts');
    expect($trackId.get()).toBe('a');
    watch.giveUp();
    await tab.answer('dismissed', false);
    await vi.waitFor(() => expect($trackId.get()).toBe('b'));
  });

  it('plays on during a silent notice, and pauses when its sound is turned on', async () => {
    const { tab, state } = await listen('house');
    await tab.consent();
    const watch = await tab.startNotice();
    expect(state()).toBe('playing');
    watch.setAudible(true);
    expect(state()).toBe('paused');
    watch.setAudible(false);
    await vi.waitFor(() => expect(state()).toBe('playing'));
    watch.setAudible(true);
    expect(state()).toBe('paused');
    watch.giveUp();
    await tab.answer('dismissed', false);
    await vi.waitFor(() => expect(state()).toBe('playing'));
  });
});

describe('the sheet after a file', () => {
  it.each([true, false])(
    'shows the credit at once; its picture opens no sheet again: open %s',
    async (isOpen) => {
      const tab = await openTab();
      const { promise, resolve } = Promise.withResolvers<Response>();
      const { notice } = host.answers;
      host.answers.notice = (call) => (host.all('notice').length === 1 ? notice(call) : promise);
      await tab.earn();
      expect(tab.$downloading.get()['7']).toBeUndefined();
      await vi.waitFor(() => expect(tab.$followUp.get()).toEqual(followUp()));
      if (!isOpen) tab.closeFollowUp();
      resolve(Response.json({ notice: PICTURE }));
      await vi.advanceTimersByTimeAsync(100);
      expect(tab.$followUp.get()).toEqual(isOpen ? followUp(PICTURE) : null);
    },
  );

  it('shows the picture that was watched, without another call', async () => {
    host.notice = PICTURE;
    const tab = await openTab();
    await tab.earn();
    await vi.waitFor(() => expect(tab.$followUp.get()).toEqual(followUp(PICTURE)));
    expect(host.all('notice')).toHaveLength(1);
  });
});

describe('only one download starts from', () => {
  it('two presses, and another sound waits for its turn', async () => {
    const tab = await openTab();
    const first = tab.press();
    const second = tab.press();
    const other = tab.press(OTHER);
    await tab.answer('asking');
    await tab.watchNotice();
    await Promise.all([first, second]);
    await vi.waitFor(() =>
      expect(tab.$download.get()).toMatchObject({ state: 'asking', sound: { id: '8' } }),
    );
    tab.answerDownload(true);
    await tab.watchNotice();
    await other;
    expect(host.all('url').map(({ url }) => url.pathname.split('/')[3])).toEqual(['7', '8']);
    expect(browser.saved).toHaveLength(2);
  });

  it('a sound that another tab is downloading; it is available again after that', async () => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: new FakeLocks() });
    const first = await openTab();
    const pressed = first.press();
    await first.until('asking');
    const second = await openTab();
    await second.press();
    await vi.waitFor(() => expect(second.toasts).toEqual([expect.stringContaining('別のタブ')]));
    expect(host.calls).toEqual([]);
    first.answerDownload(false);
    await pressed;
    const again = second.press();
    await second.answer('asking', false);
    await again;
    await vi.waitFor(() => expect(second.toasts).toHaveLength(1));
  });

  it('a press where the browser forbids its locks, and the file arrives', async () => {
    const request = () => Promise.reject(new DOMException('no storage', 'SecurityError'));
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
    const tab = await openTab({ ads: 'none' });
    await tab.press();
    expect(browser.saved).toHaveLength(1);
  });
});

describe('the host counts a download', () => {
  it('with a wait of at most eight seconds, unless the person leaves', async () => {
    host.answers.begin = () => new Promise(() => {});
    const tab = await openTab();
    const { pressed: left } = await tab.consent();
    await vi.waitFor(() => expect(host.all('begin')).toHaveLength(1));
    await tab.answer('preparing', false);
    await left;
    expect(host.all('begin')[0]?.signal?.aborted).toBe(true);
    expect([tab.$download.get(), host.queries()]).toEqual([null, []]);

    const { pressed: stalled } = await tab.consent();
    await tab.until('preparing');
    await vi.advanceTimersByTimeAsync(8_000);
    await tab.watchNotice();
    await stalled;
    expect(host.all('begin')[1]?.signal?.aborted).toBe(true);
    expect(host.queries()).toEqual(['log=true']);
  });
});

describe('a download that fails', () => {
  it('is only logged, and a press fetches the file without a second advertisement', async () => {
    const { file } = host.answers;
    host.answers.file = () => refusal(404);
    const tab = await openTab();
    await tab.earn();
    const cause = expect.objectContaining({ status: 404 }) as unknown;
    expect(errors).toEqual([['Failed to fetch the sound file.', expect.objectContaining({ cause })]]);
    expect(tab.toasts).toEqual([]);
    expect(tab.$downloading.get()['7']).toBe('again');
    host.answers.file = file;
    host.isGranted = true;
    await tab.press();
    expect(host.queries()).toEqual([REWARDED, 'log=false&intent=intent-2']);
    expect(browser.saved).toHaveLength(1);
    expect(tab.$downloading.get()['7']).toBeUndefined();
  });

  it.each([true, false])('because the page may not read the file offers to open it: %s', async (isYes) => {
    host.answers.url = () => Response.json({ url: 'https://files.test/media/downloads/7' });
    host.answers.file = offline;
    const tab = await openTab();
    const { pressed } = await tab.consent();
    await tab.watchNotice();
    await pressButton(isYes ? '新しいタブで開く' : 'キャンセル');
    await pressed;
    expect(browser.opened).toEqual(isYes ? ['https://files.test/media/downloads/7'] : []);
    expect([browser.saved, tab.toasts]).toEqual([[], []]);
    expect(tab.$downloading.get()['7']).toBe(isYes ? undefined : 'again');
    expect(errors).toHaveLength(isYes ? 0 : 1);
  });

  it('before the grant is reported is reported with the same intent, also after a reload', async () => {
    const { url } = host.answers;
    host.answers.url = () => refusal(503);
    await (await openTab()).earn();
    host.answers.url = url;
    const reloaded = await openTab();
    await reloaded.press();
    expect(host.all('begin')).toHaveLength(1);
    expect(host.queries()).toEqual([REWARDED, REWARDED]);
    expect(browser.saved).toHaveLength(1);
  });

  it.each([
    [429, '5分後にもう一度お試しください。', '5分後にもう一度お試しください。'],
    [401, 'ログインしてください。', 'ログインしてください。'],
    [404, '見つかりません。', 'もうダウンロードできません'],
    [410, undefined, 'もうダウンロードできません'],
  ])('with %d at the start says so, and nothing is shown', async (status, told, message) => {
    host.answers.begin = () => refusal(status, told);
    const tab = await openTab();
    const { pressed } = await tab.consent();
    await pressed;
    await vi.waitFor(() => expect(tab.toasts).toEqual([expect.stringContaining(message)]));
    expect(host.all('notice')).toEqual([]);
    expect(tab.$downloading.get()['7']).toBeUndefined();
  });

  it.each([
    [0, '通信の状態', 'again'],
    [503, 'サーバーで問題が起きています', 'again'],
    [401, '時間をおいて', 'again'],
    [404, 'もうダウンロードできません', undefined],
  ])('with %d before there is a url says so', async (status, message, step) => {
    host.answers.url = () => (status === 0 ? offline() : refusal(status));
    const tab = await openTab();
    await tab.earn();
    await vi.waitFor(() => expect(tab.toasts).toEqual([expect.stringContaining(message)]));
    expect(tab.$downloading.get()['7']).toBe(step);
  });

  it.each([0, 500, 503])('with %d at the start continues with spec §7 alone', async (status) => {
    host.answers.begin = () => (status === 0 ? offline() : refusal(status));
    const tab = await openTab();
    await tab.earn();
    expect(host.queries()).toEqual(['log=true']);
    expect([browser.saved.length, tab.toasts]).toEqual([1, []]);
  });

  it.each(['islands/overlays/DownloadOverlay.tsx', 'stores/downloads/run.ts'])(
    'because a script does not load (%s) lets the next press retry',
    async (path) => {
      // The browser's module loader is part of the network.
      vi.doMock(`../../../../src/${path}`, () => {
        throw new TypeError('offline');
      });
      const tab = await openTab();
      await tab.press();
      expect([tab.$downloading.get()['7'], warnings.length]).toEqual([undefined, 1]);
      vi.doUnmock(`../../../../src/${path}`);
      await (await openTab()).earn();
      expect(browser.saved).toHaveLength(1);
    },
  );

  it('because the host has counted less waits and asks again', async () => {
    const { url } = host.answers;
    let refusals = 2;
    host.answers.url = (call) =>
      (refusals -= 1) >= 0 ? refusal(409, undefined, { 'retry-after': '3' }) : url(call);
    const tab = await openTab();
    const { pressed } = await tab.consent();
    await tab.watchNotice();
    await tab.until('settling');
    await vi.advanceTimersByTimeAsync(6_000);
    await pressed;
    expect(host.queries()).toEqual([REWARDED, REWARDED, REWARDED]);
    expect(host.all('watching')).toHaveLength(6);
    const [, , ...again] = host.all('watching').map(({ body }) => (body as { state: string }).state);
    expect(again).toEqual(['begin', 'end', 'begin', 'end']);
    expect(browser.saved).toHaveLength(1);
  });

  it('never replaces the dialog of another download', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    host.answers.file = () => promise;
    const tab = await openTab();
    const { pressed: first } = await tab.consent();
    await tab.watchNotice();
    await tab.until('fetching');
    const second = tab.press(OTHER);
    await tab.until('asking');
    resolve(refusal(404));
    await first;
    expect(tab.$download.get()).toMatchObject({ state: 'asking', sound: { id: '8' } });
    tab.answerDownload(false);
    await second;
  });
});

describe('within a day of the reward', () => {
  it('this browser records it where the host is not extended, and only calls spec §7', async () => {
    installGoogletag('granted');
    const tab = await openTab({ isExtended: false, ads: 'house,gpt' });
    const watchAd = async () => {
      const { pressed } = await tab.consent();
      await tab.answer('ready');
      await pressed;
    };
    await watchAd();
    await tab.press();
    expect(host.queries()).toEqual(['log=true', 'log=false']);
    vi.setSystemTime(Date.now() + DAY_MS);
    await watchAd();
    expect(host.queries().at(-1)).toBe('log=true');
    for (const name of ['begin', 'watching', 'notice'] as const) expect(host.all(name)).toEqual([]);
  });
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdProviderName, Notice } from '../../../../contract/ads.ts';
import { beginDownload, downloadSound as downloadCall } from '../../../../contract/downloads.ts';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import type { ApiError } from '../../../../contract/errors.ts';
import type { AdOutcome, LoadedAd } from '../../../../src/ads/provider.ts';

interface CallOptions {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

const mocks = vi.hoisted(() => ({
  callApi: vi.fn<(endpoint: Endpoint, options: CallOptions) => Promise<unknown>>(),
  fetchFile: vi.fn<(url: string, name: string) => Promise<{ blob: Blob; name: string }>>(),
  openFile: vi.fn<(url: string) => void>(),
  saveFile: vi.fn<(file: { name: string }) => void>(),
  prepareAd:
    vi.fn<(names: readonly AdProviderName[], request: { signal: AbortSignal }) => Promise<unknown>>(),
  openDownload: vi.fn<() => void>(),
  findNextNotice: vi.fn<() => Promise<Notice | null>>(),
  ask: vi.fn<(question: { action: string }) => Promise<boolean>>(),
  pausePlayback: vi.fn<() => void>(),
  resumePlayback: vi.fn<() => void>(),
  showAlert: vi.fn<(message: string) => void>(),
  showToast: vi.fn<(kind: string, message: string) => void>(),
}));
vi.mock('../../../../src/api/browser.ts', () => ({ callApi: mocks.callApi }));
vi.mock('../../../../src/api/files.ts', async (load) => ({
  ...(await load<object>()),
  fetchFile: mocks.fetchFile,
  openFile: mocks.openFile,
  saveFile: mocks.saveFile,
}));
vi.mock('../../../../src/api/notices.ts', () => ({ findNextNotice: mocks.findNextNotice }));
vi.mock('../../../../src/islands/download/open-download.tsx', () => ({ openDownload: mocks.openDownload }));
vi.mock('../../../../src/stores/player/actions.ts', () => ({
  startPlayer: () => undefined,
  pausePlayback: mocks.pausePlayback,
  resumePlayback: mocks.resumePlayback,
}));
vi.mock('../../../../src/stores/overlays/alerts.ts', () => ({ showAlert: mocks.showAlert }));
vi.mock('../../../../src/stores/overlays/questions.ts', () => ({ ask: mocks.ask }));
vi.mock('../../../../src/stores/overlays/toasts.ts', () => ({ showToast: mocks.showToast }));
vi.mock('../../../../src/ads/chain.ts', async (load) => ({
  ...(await load<object>()),
  prepareAd: mocks.prepareAd,
}));

const SOUND = { id: '7', title: '雨', artist: '音の人' };
const VIDEO: Notice = {
  id: 'spring',
  kind: 'video',
  url: '/notice/spring.mp4',
  text: '春の市',
  captions: null,
  link: null,
  seconds: 5,
};
const PICTURE: Notice = { ...VIDEO, kind: 'picture', url: '/notice/spring.png' };
const NO_AD = { kind: 'unavailable', reasons: [{ provider: 'house', reason: 'not_configured' }] };
const DAY_MS = 86_400_000;

/** What the host refuses a call with. */
let refuse: (call: string) => ConstructorParameters<typeof ApiError> | undefined;
let isGranted: boolean;
let noise: unknown[][];

/** The page of a tab: its own stores, its own head. */
async function open({ isOurs = true, ads = 'house' }: { isOurs?: boolean; ads?: string } = {}) {
  vi.resetModules();
  document.head.innerHTML =
    `<meta name="ads" content="${ads}">` +
    (isOurs ? '<meta name="capabilities" content="contact download-intents">' : '');
  const { $downloading, $download, $followUp, answerDownload, downloadSound } =
    await import('../../../../src/stores/downloads/downloads.ts');

  const until = (state: string | undefined) => vi.waitFor(() => expect($download.get()?.state).toBe(state));
  const press = (sound = SOUND) => downloadSound(sound);
  const say = async (state: string, isYes = true) => {
    await until(state);
    answerDownload(isYes);
  };
  return { $downloading, $download, $followUp, answerDownload, press, say, until };
}

function makeAd(outcome: AdOutcome | Promise<AdOutcome>, changes: Partial<LoadedAd> = {}) {
  return {
    kind: 'ready',
    provider: 'house',
    needsPress: false,
    hasSound: false,
    show: vi.fn(() => Promise.resolve(outcome)),
    dispose: vi.fn(),
    ...changes,
  } satisfies LoadedAd;
}

/** Of the class that the page of now knows. */
async function makeError(...parts: ConstructorParameters<typeof ApiError>) {
  const errors = await import('../../../../contract/errors.ts');
  return new errors.ApiError(...parts);
}

const asked = (endpoint: Endpoint) =>
  mocks.callApi.mock.calls.filter(([called]) => called.path === endpoint.path).map(([, options]) => options);
const queries = () => asked(downloadCall).map(({ query }) => query);

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    shouldAdvanceTime: true,
    advanceTimeDelta: 50,
  });
  for (const mock of Object.values(mocks)) mock.mockReset();
  localStorage.clear();
  refuse = () => undefined;
  isGranted = false;
  noise = [];
  vi.spyOn(console, 'error').mockImplementation((...said) => void noise.push(said));
  let intents = 0;
  mocks.callApi.mockImplementation(async ({ path }) => {
    const refusal = refuse(path);
    if (refusal) throw await makeError(...refusal);
    if (path !== beginDownload.path) return { url: '/media/downloads/7' };
    intents += 1;
    return { id: `intent-${intents}`, is_granted: isGranted };
  });
  mocks.fetchFile.mockImplementation(async (_, name) => ({ blob: new Blob(), name: `${name}.mp3` }));
  mocks.prepareAd.mockImplementation(async () => makeAd('granted'));
  mocks.findNextNotice.mockImplementation(async () => null);
  mocks.ask.mockImplementation(async () => false);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a download', () => {
  it('asks, shows the advertisement, is logged once, and the file follows half a second later', async () => {
    const page = await open();
    const pressed = page.press();
    await page.until('asking');
    expect(mocks.prepareAd).not.toHaveBeenCalled();
    const agreedAt = Date.now();
    page.answerDownload(true);
    await pressed;
    expect(Date.now() - agreedAt).toBeGreaterThanOrEqual(500);
    expect(queries()).toEqual([{ log: true, intent: 'intent-1', provider: 'house' }]);
    expect(mocks.saveFile.mock.calls).toEqual([[expect.objectContaining({ name: '雨 - 音の人.mp3' })]]);
    await vi.waitFor(() => expect(page.$followUp.get()).toEqual({ sound: SOUND, notice: null }));
    expect([page.$download.get(), page.$downloading.get()['7'], noise]).toEqual([null, undefined, []]);
  });

  it('is nothing at all when the person says no', async () => {
    const page = await open();
    const pressed = page.press();
    await page.say('asking', false);
    await pressed;
    expect(mocks.prepareAd).not.toHaveBeenCalled();
    expect(asked(downloadCall)).toEqual([]);
    expect([page.$download.get(), page.$downloading.get()['7']]).toEqual([null, undefined]);
  });

  it('without an advertisement says so, goes on at once and earns nothing', async () => {
    mocks.prepareAd.mockImplementation(async () => NO_AD);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(mocks.showAlert.mock.calls).toEqual([['広告が表示されませんでした。']]);
    expect(queries()).toEqual([{ log: false, intent: 'intent-1', provider: 'none' }]);
    expect(mocks.saveFile).toHaveBeenCalledTimes(1);
  });

  it('asks nobody for consent where the operator shows nothing', async () => {
    const page = await open({ ads: 'none' });
    await page.press();
    expect(mocks.prepareAd).not.toHaveBeenCalled();
    expect(mocks.showAlert).toHaveBeenCalledTimes(1);
    expect(queries()).toEqual([{ log: false, intent: 'intent-1', provider: 'none' }]);
  });

  it('whose advertisement was closed is not made; the person may try again, or leave', async () => {
    const ads = [makeAd('dismissed'), makeAd('dismissed'), makeAd('granted')];
    const shown = [...ads];
    mocks.prepareAd.mockImplementation(async () => shown.shift());
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await page.say('dismissed');
    await page.until('dismissed');
    expect(asked(downloadCall)).toEqual([]);
    page.answerDownload(true);
    await pressed;
    expect(queries()).toHaveLength(1);
    expect(asked(beginDownload)).toHaveLength(1);
    for (const ad of ads) expect(ad.dispose).toHaveBeenCalled();

    mocks.prepareAd.mockImplementation(async () => makeAd('dismissed'));
    const leaving = await open();
    const left = leaving.press({ ...SOUND, id: '8' });
    await leaving.say('asking');
    await leaving.say('dismissed', false);
    await left;
    expect(queries()).toHaveLength(1);
  });

  it('goes on to the next provider when one had nothing to show after all, without asking again', async () => {
    mocks.prepareAd
      .mockImplementationOnce(async () => makeAd('failed', { provider: 'gpt' }))
      .mockImplementationOnce(async () => makeAd('granted'));
    const page = await open({ ads: 'gpt,house' });
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(mocks.prepareAd.mock.calls.map(([names]) => names)).toEqual([['gpt', 'house'], ['house']]);
    expect(queries()).toEqual([{ log: true, intent: 'intent-1', provider: 'house' }]);
  });

  it('shows an advertisement that wants a press within that press', async () => {
    const ad = makeAd('granted', { needsPress: true, provider: 'gpt' });
    mocks.prepareAd.mockImplementation(async () => ad);
    const page = await open({ ads: 'gpt' });
    const pressed = page.press();
    await page.say('asking');
    await page.until('ready');
    expect(ad.show).not.toHaveBeenCalled();
    page.answerDownload(true);
    expect(ad.show).toHaveBeenCalledTimes(1);
    await pressed;
    expect(queries()).toEqual([{ log: true, intent: 'intent-1', provider: 'gpt' }]);
  });

  it('offers a way out of an advertisement that does not end, which grants nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<AdOutcome>();
    const ad = makeAd(promise, {
      needsPress: true,
      provider: 'gpt',
      dispose: vi.fn(() => resolve('dismissed')),
    });
    mocks.prepareAd.mockImplementation(async () => ad);
    const page = await open({ ads: 'gpt' });
    const pressed = page.press();
    await page.say('asking');
    await page.say('ready');
    await page.until('elsewhere');
    await vi.advanceTimersByTimeAsync(180_000);
    await page.say('stuck');
    await page.say('dismissed', false);
    await pressed;
    expect(asked(downloadCall)).toEqual([]);
  });

  it('counts only the time in sight until it offers that, and offers it again to who goes back', async () => {
    const { promise, resolve } = Promise.withResolvers<AdOutcome>();
    mocks.prepareAd.mockImplementation(async () => makeAd(promise, { provider: 'gpt' }));
    const page = await open({ ads: 'gpt' });
    const pressed = page.press();
    await page.say('asking');
    await page.until('elsewhere');
    await vi.advanceTimersByTimeAsync(100_000);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(3_600_000);
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(75_000);
    expect(page.$download.get()?.state).toBe('elsewhere');
    await vi.advanceTimersByTimeAsync(10_000);
    await page.say('stuck', false);
    await page.until('elsewhere');
    await vi.advanceTimersByTimeAsync(55_000);
    expect(page.$download.get()?.state).toBe('elsewhere');
    await vi.advanceTimersByTimeAsync(6_000);
    await page.until('stuck');
    resolve('granted');
    await pressed;
    expect(queries()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(page.$download.get()).toBeNull();
  });

  it('that was granted is made although the page was left before the advertisement was closed', async () => {
    const { promise, resolve } = Promise.withResolvers<AdOutcome>();
    const ad = makeAd(promise, { provider: 'gpt', dispose: vi.fn(() => resolve('granted')) });
    mocks.prepareAd.mockImplementation(async () => ad);
    const page = await open({ ads: 'gpt' });
    const pressed = page.press();
    await page.say('asking');
    await page.until('elsewhere');
    refuse = (path) => (path === downloadCall.path ? [503, []] : undefined);
    document.dispatchEvent(new Event('astro:before-swap'));
    await pressed;
    refuse = () => undefined;
    await page.press();
    expect(mocks.prepareAd).toHaveBeenCalledTimes(1);
    const told = { log: true, intent: 'intent-1', provider: 'gpt' };
    expect(queries()).toEqual([told, told]);
    expect(mocks.saveFile).toHaveBeenCalledTimes(1);
  });

  it('keeps the page behind an advertisement of others out of reach, and gives it back', async () => {
    document.body.innerHTML = '<header></header><main id="main"></main><footer inert></footer>';
    const inert = () => [...document.body.children].map((element) => element.hasAttribute('inert'));
    for (const leave of [false, true]) {
      const { promise, resolve } = Promise.withResolvers<AdOutcome>();
      mocks.prepareAd.mockImplementation(async () => makeAd(promise, { provider: 'gpt' }));
      const page = await open({ ads: 'gpt' });
      const pressed = page.press({ ...SOUND, id: String(leave) });
      await page.say('asking');
      await page.until('elsewhere');
      expect(inert()).toEqual([true, true, true]);
      if (leave) document.dispatchEvent(new Event('astro:before-swap'));
      else resolve('failed');
      await vi.waitFor(() => expect(inert()).toEqual([false, false, true]));
      resolve('dismissed');
      await pressed;
    }
    document.body.innerHTML = '';
  });

  it('is given up when the person cancels while the advertisement loads, or goes to another page', async () => {
    mocks.prepareAd.mockImplementation(
      (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(NO_AD))),
    );
    const page = await open();
    const cancelled = page.press();
    await page.say('asking');
    await page.say('preparing', false);
    await cancelled;
    const gone = page.press();
    await page.until('asking');
    document.dispatchEvent(new Event('astro:before-swap'));
    await gone;
    expect(asked(downloadCall)).toEqual([]);
    expect([page.$download.get(), mocks.showAlert.mock.calls]).toEqual([null, []]);
  });
});

describe('the player', () => {
  async function listen(changes: Partial<LoadedAd>, before: 'playing' | 'paused', onPause?: () => void) {
    localStorage.clear();
    const page = await open();
    const { $playback } = await import('../../../../src/stores/player/player.ts');
    const { $watch } = await import('../../../../src/ads/house.ts');
    $playback.set({ state: before });
    mocks.pausePlayback.mockImplementation(onPause ?? (() => $playback.set({ state: 'paused' })));
    mocks.resumePlayback.mockImplementation(() => $playback.set({ state: 'playing' }));
    const { promise, resolve } = Promise.withResolvers<AdOutcome>();
    mocks.prepareAd.mockImplementation(async () => makeAd(promise, changes));
    const pressed = page.press();
    await page.say('asking');
    await page.until('elsewhere');
    const end = async () => {
      resolve('granted');
      await pressed;
    };
    return { $playback, $watch, end };
  }

  it('rests while an advertisement can be heard, and goes on after it', async () => {
    const { $playback, end } = await listen({ hasSound: true }, 'playing');
    expect($playback.get().state).toBe('paused');
    await end();
    expect($playback.get().state).toBe('playing');
  });

  it('that rested before stays at rest', async () => {
    const { $playback, end } = await listen({ hasSound: true }, 'paused');
    await end();
    expect($playback.get().state).toBe('paused');
  });

  it('goes on also when the advertisement is over before it has told of its pause', async () => {
    const { $playback, end } = await listen({ hasSound: true }, 'playing', () => undefined);
    await end();
    expect(mocks.resumePlayback).toHaveBeenCalledTimes(1);
    $playback.set({ state: 'idle' });
  });

  it('that was closed, or has failed, meanwhile is left alone', async () => {
    for (const state of ['idle', 'failed'] as const) {
      const { $playback, end } = await listen({ hasSound: true }, 'playing');
      $playback.set({ state });
      await end();
      expect($playback.get().state).toBe(state);
    }
  });

  it('plays on beside a notice that is silent, and rests from when its sound is let out', async () => {
    const { $playback, $watch, end } = await listen({}, 'playing');
    const { startWatch } = await import('../../../../src/ads/watching.ts');
    const { systemClock } = await import('../../../../src/ads/clock.ts');
    const watch = startWatch({ notice: VIDEO, clock: systemClock, report: () => Promise.resolve(null) });
    $watch.set(watch);
    expect($playback.get().state).toBe('playing');
    watch.setAudible(true);
    expect($playback.get().state).toBe('paused');
    watch.setAudible(false);
    expect($playback.get().state).toBe('playing');
    watch.setAudible(true);
    watch.dispose();
    await end();
    expect($playback.get().state).toBe('playing');
  });
});

describe('what follows a file', () => {
  it('is the credit at once and a picture when it comes; nothing waits for it', async () => {
    const { promise, resolve } = Promise.withResolvers<Notice | null>();
    mocks.findNextNotice.mockImplementation(() => promise);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(page.$downloading.get()['7']).toBeUndefined();
    await vi.waitFor(() => expect(page.$followUp.get()).toEqual({ sound: SOUND, notice: null }));
    resolve(PICTURE);
    await vi.waitFor(() => expect(page.$followUp.get()).toEqual({ sound: SOUND, notice: PICTURE }));
  });

  it('that was closed is not opened again by its picture', async () => {
    const { promise, resolve } = Promise.withResolvers<Notice | null>();
    mocks.findNextNotice.mockImplementation(() => promise);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    await vi.waitFor(() => expect(page.$followUp.get()).not.toBeNull());
    page.$followUp.set(null);
    resolve(PICTURE);
    await vi.advanceTimersByTimeAsync(100);
    expect(page.$followUp.get()).toBeNull();
  });
});

describe('only one download comes of', () => {
  it('two presses, and another sound waits for its turn', async () => {
    const page = await open();
    const first = page.press();
    const second = page.press();
    const other = page.press({ ...SOUND, id: '8', title: '風' });
    await page.say('asking');
    await Promise.all([first, second]);
    await vi.waitFor(() =>
      expect(page.$download.get()).toMatchObject({ state: 'asking', sound: { id: '8' } }),
    );
    page.answerDownload(true);
    await other;
    expect(asked(downloadCall).map(({ params }) => params['id'])).toEqual(['7', '8']);
    expect(mocks.saveFile).toHaveBeenCalledTimes(2);
  });

  it('a sound that another tab has in hand', async () => {
    const request = vi.fn((_name: string, _options: object, work: (lock: null) => unknown) => work(null));
    vi.stubGlobal('navigator', { locks: { request } });
    const page = await open();
    await page.press();
    vi.unstubAllGlobals();
    expect(request.mock.calls[0]?.slice(0, 2)).toEqual(['download:7', { ifAvailable: true }]);
    expect(mocks.callApi).not.toHaveBeenCalled();
    expect(mocks.showToast.mock.calls[0]?.[1]).toContain('別のタブ');
  });

  it('a press where the browser forbids its locks, with a file all the same', async () => {
    const request = () => Promise.reject(new DOMException('no storage', 'SecurityError'));
    vi.stubGlobal('navigator', { locks: { request } });
    const page = await open({ ads: 'none' });
    await page.press();
    vi.unstubAllGlobals();
    expect(mocks.saveFile).toHaveBeenCalledTimes(1);
  });
});

describe('the host hears of a download', () => {
  it('only once the person agrees: prompts that are cancelled are not counted', async () => {
    const page = await open();
    for (let times = 0; times < 12; times += 1) {
      const pressed = page.press({ ...SOUND, id: String(times % 3) });
      await page.say('asking', false);
      await pressed;
    }
    expect(mocks.callApi).not.toHaveBeenCalled();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(asked(beginDownload)).toHaveLength(1);
    expect([mocks.saveFile.mock.calls.length, mocks.showToast.mock.calls]).toEqual([1, []]);
  });

  it('and is waited for eight seconds, unless the person leaves', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const answer = mocks.callApi.getMockImplementation()!;
    mocks.callApi.mockImplementation((endpoint, options) => {
      if (endpoint.path !== beginDownload.path) return answer(endpoint, options);
      signals.push(options.signal);
      return new Promise(() => {});
    });
    const page = await open();
    const left = page.press();
    await page.say('asking');
    await page.say('preparing', false);
    await left;
    expect([signals[0]?.aborted, page.$download.get(), queries()]).toEqual([true, null, []]);

    const stalled = page.press();
    await page.say('asking');
    await page.until('preparing');
    await vi.advanceTimersByTimeAsync(8_000);
    await stalled;
    expect(signals[1]?.aborted).toBe(true);
    expect(queries()).toEqual([{ log: true }]);
  });
});

describe('a download that breaks', () => {
  it('is only logged, and a press fetches the file without a second advertisement', async () => {
    mocks.fetchFile.mockImplementationOnce(async () => {
      throw await makeError(404, []);
    });
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(noise).toEqual([
      [
        'Failed to fetch the sound file.',
        expect.objectContaining({ cause: expect.objectContaining({ status: 404 }) as unknown }),
      ],
    ]);
    expect(mocks.showToast).not.toHaveBeenCalled();
    expect(page.$downloading.get()['7']).toBe('again');
    isGranted = true;
    await page.press();
    expect(mocks.prepareAd).toHaveBeenCalledTimes(1);
    expect(queries().map((query) => query?.['log'])).toEqual([true, false]);
    expect(mocks.saveFile).toHaveBeenCalledTimes(1);
    expect(page.$downloading.get()['7']).toBeUndefined();
  });

  it.each([true, false])('because the page may not read the file offers to open it: %s', async (isYes) => {
    mocks.ask.mockImplementation(async () => isYes);
    mocks.fetchFile.mockImplementation(async () => {
      const { UnreadableFile } = await import('../../../../src/api/files.ts');
      throw new UnreadableFile('https://files.test/7.mp3', new TypeError('Failed to fetch'));
    });
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(mocks.ask.mock.calls).toEqual([[expect.objectContaining({ action: '新しいタブで開く' })]]);
    expect(mocks.openFile.mock.calls).toEqual(isYes ? [['https://files.test/7.mp3']] : []);
    expect([mocks.saveFile.mock.calls, mocks.showToast.mock.calls]).toEqual([[], []]);
    expect(page.$downloading.get()['7']).toBe(isYes ? undefined : 'again');
    expect(noise).toHaveLength(isYes ? 0 : 1);
  });

  it('before the host has heard of the grant is told with the same intent, also after a reload', async () => {
    refuse = (path) => (path === downloadCall.path ? [503, []] : undefined);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    refuse = () => undefined;
    const reloaded = await open();
    await reloaded.press();
    expect(mocks.prepareAd).toHaveBeenCalledTimes(1);
    expect(asked(beginDownload)).toHaveLength(1);
    const told = { log: true, intent: 'intent-1', provider: 'house' };
    expect(queries()).toEqual([told, told]);
    expect(mocks.saveFile).toHaveBeenCalledTimes(1);
  });

  it.each([
    [429, [{ key: 'detail', message: '5分後にもう一度お試しください。' }], '5分後にもう一度お試しください。'],
    [401, [{ key: 'detail', message: 'ログインしてください。' }], 'ログインしてください。'],
    [404, [{ key: 'detail', message: '見つかりません。' }], 'もうダウンロードできません'],
    [410, [], 'もうダウンロードできません'],
  ])('with %d at its beginning says so, and nothing is shown', async (status, fields, message) => {
    refuse = (path) => (path === beginDownload.path ? [status, fields] : undefined);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(mocks.showToast.mock.calls).toEqual([['error', expect.stringContaining(message)]]);
    expect(mocks.prepareAd).not.toHaveBeenCalled();
    expect(page.$downloading.get()['7']).toBeUndefined();
  });

  it.each([
    [0, '通信の状態', 'again'],
    [503, 'サーバーで問題が起きています', 'again'],
    [401, '時間をおいて', 'again'],
    [404, 'もうダウンロードできません', undefined],
  ])('with %d before there is a url says so', async (status, message, step) => {
    refuse = (path) => (path === downloadCall.path ? [status, []] : undefined);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(mocks.showToast.mock.calls).toEqual([['error', expect.stringContaining(message)]]);
    expect(page.$downloading.get()['7']).toBe(step);
  });

  it.each([0, 500, 503])('with %d at its beginning goes on by spec §7 alone', async (status) => {
    refuse = (path) => (path === beginDownload.path ? [status, []] : undefined);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(queries()).toEqual([{ log: true }]);
    expect([mocks.saveFile.mock.calls.length, mocks.showToast.mock.calls]).toEqual([1, []]);
  });

  it('because a script does not load lets the next press try again', async () => {
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const path of ['islands/download/open-download.tsx', 'stores/downloads/run.ts']) {
      vi.doMock(`../../../../src/${path}`, () => {
        throw new TypeError('offline');
      });
      vi.resetModules();
      document.head.innerHTML = '<meta name="ads" content="house">';
      const { $downloading, downloadSound } = await import('../../../../src/stores/downloads/downloads.ts');
      await downloadSound(SOUND);
      expect($downloading.get()['7']).toBeUndefined();
    }
    vi.doUnmock('../../../../src/stores/downloads/run.ts');
    vi.doMock('../../../../src/islands/download/open-download.tsx', () => ({
      openDownload: mocks.openDownload,
    }));
    expect(warning).toHaveBeenCalledTimes(2);
  });

  it('because the host has counted less waits and asks again, and never costs the file', async () => {
    let refusals = 2;
    refuse = (path) => {
      if (path !== downloadCall.path || refusals === 0) return undefined;
      refusals -= 1;
      return [409, [], { retryAfterSec: 3 }];
    };
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await page.until('settling');
    await vi.advanceTimersByTimeAsync(6_000);
    await pressed;
    expect(queries().map((query) => query?.['log'])).toEqual([true, true, true]);
    expect(mocks.saveFile).toHaveBeenCalledTimes(1);

    let calls = 0;
    refuse = (path) => (path === downloadCall.path && (calls += 1) <= 5 ? [409, []] : undefined);
    const stubborn = await open();
    const again = stubborn.press({ ...SOUND, id: '8' });
    await stubborn.say('asking');
    await stubborn.until('settling');
    await vi.advanceTimersByTimeAsync(15_000);
    await again;
    expect(queries().at(-1)).toMatchObject({ log: false });
    expect(mocks.saveFile).toHaveBeenCalledTimes(2);
  });

  it('waits no longer than five seconds at a time, says when the file comes, and can be left to itself', async () => {
    let refusals = 2;
    refuse = (path) => {
      if (path !== downloadCall.path || refusals === 0) return undefined;
      refusals -= 1;
      return [409, [], { retryAfterSec: 3_600 }];
    };
    const { promise, resolve } = Promise.withResolvers<{ blob: Blob; name: string }>();
    mocks.fetchFile.mockImplementation(() => promise);
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await page.say('settling', false);
    await page.until('fetching');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(page.$download.get()?.state).toBe('fetching');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(queries().map((query) => query?.['log'])).toEqual([true, true, true]);
    resolve({ blob: new Blob(), name: 'a.mp3' });
    await pressed;
    expect([mocks.saveFile.mock.calls.length, page.$download.get()]).toEqual([1, null]);

    refusals = 1;
    const { promise: file, resolve: bring } = Promise.withResolvers<{ blob: Blob; name: string }>();
    mocks.fetchFile.mockImplementation(() => file);
    const waiting = page.press({ ...SOUND, id: '8' });
    await page.say('asking');
    await page.until('settling');
    await vi.advanceTimersByTimeAsync(5_000);
    await page.until('fetching');
    bring({ blob: new Blob(), name: 'a.mp3' });
    await waiting;
  });
});

describe('within a day', () => {
  it('our own host knows who was granted: who agrees has the file at once, unlogged', async () => {
    isGranted = true;
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    expect(mocks.prepareAd).not.toHaveBeenCalled();
    expect(queries()).toEqual([{ log: false, intent: 'intent-1', provider: undefined }]);
  });

  it('this browser knows it as well: a host that has forgotten shows nobody a second advertisement', async () => {
    const page = await open();
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    await page.press();
    isGranted = true;
    await page.press();
    isGranted = false;
    await page.press();
    expect(mocks.prepareAd).toHaveBeenCalledTimes(1);
    expect(queries()).toEqual([
      { log: true, intent: 'intent-1', provider: 'house' },
      { log: false, intent: 'intent-2' },
      { log: false, intent: 'intent-3' },
      { log: false, intent: 'intent-4' },
    ]);
  });

  it('this browser knows it where the host keeps no intents, which hears of spec §7 alone', async () => {
    const page = await open({ isOurs: false });
    const pressed = page.press();
    await page.say('asking');
    await pressed;
    await page.press();
    expect(queries()).toEqual([{ log: true }, { log: false }]);
    expect(mocks.prepareAd).toHaveBeenCalledTimes(1);
    expect(asked(beginDownload)).toEqual([]);
    vi.setSystemTime(Date.now() + DAY_MS);
    const later = page.press();
    await page.say('asking');
    await later;
    expect(queries().at(-1)).toEqual({ log: true });
  });

  it('what stands in storage counts for nothing when it makes no sense', async () => {
    for (const nonsense of ['{', '[]', '{"7":{"at":"x"}}', `{"7":{"at":${Date.now() + DAY_MS}}}`]) {
      localStorage.setItem('downloads', nonsense);
      const page = await open({ isOurs: false });
      const pressed = page.press();
      await page.say('asking', false);
      await pressed;
    }
    expect(asked(downloadCall)).toEqual([]);
  });
});

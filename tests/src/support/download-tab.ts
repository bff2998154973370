import { expect, vi } from 'vitest';
import type { Notice } from '#contract/downloads/ads.ts';
import { NOTICE } from './notices.ts';
import { setExtended } from './stores.ts';

export const SOUND = { id: '7', title: '雨', artist: '音の人' };
export const PICTURE = NOTICE;
export const VIDEO: Notice = { ...NOTICE, kind: 'video', url: '/notice/spring.mp4' };

/** The calls of a download; `watching` are the reports, `notice` is that of notices. */
const CALLS = {
  begin: /^\/api\/sounds\/[^/]+\/download-intents$/,
  url: /^\/api\/sounds\/[^/]+\/download$/,
  watching: /^\/api\/download-intents\/[^/]+\/watching$/,
  notice: /^\/notice\/next$/,
  file: /^\/media\/downloads\//,
};
type CallName = keyof typeof CALLS;

interface Call {
  readonly name: CallName;
  readonly url: URL;
  readonly body: unknown;
  readonly signal: AbortSignal | null;
}

/** The network of a page: our host's API, its notices and its files. Replace an entry of `answers` to change one. */
export class FakeHost {
  readonly calls: Call[] = [];
  /** The answer to `GET /notice/next`. */
  notice: Notice | null = VIDEO;
  /** The certificate that it gives for each download. */
  certificate: string | null = null;
  /** Whether the host has granted the sound to this visitor before. */
  isGranted = false;
  answers: Record<CallName, (call: Call) => Response | Promise<Response>> = {
    begin: () => Response.json({ id: `intent-${this.all('begin').length}`, is_granted: this.isGranted }),
    url: ({ url }) =>
      Response.json({
        url: `/media/downloads/${url.pathname.split('/')[3]}`,
        ...(this.certificate !== null && { certificate: this.certificate }),
      }),
    watching: () => Response.json({ watched_ms: 5_000, needed_ms: 5_000 }),
    notice: () => Response.json({ notice: this.notice }),
    file: () => new Response('MP3', { headers: { 'content-type': 'audio/mpeg' } }),
  };

  fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input), location.href);
    const name = (Object.keys(CALLS) as CallName[]).find((one) => CALLS[one].test(url.pathname));
    if (!name) throw new Error(`nobody answers ${url.pathname}`);
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    const call: Call = { name, url, body, signal: init.signal ?? null };
    this.calls.push(call);
    return this.answers[name](call);
  };

  all(name: CallName): Call[] {
    return this.calls.filter((call) => call.name === name);
  }

  /** The arguments of `downloadSound`. */
  queries(): string[] {
    return this.all('url').map(({ url }) => url.search.slice(1));
  }
}

/** A refusal in the format of hosts. */
export function refusal(status: number, message?: string, headers?: Record<string, string>): Response {
  return Response.json(message === undefined ? {} : { detail: message }, {
    status,
    ...(headers && { headers }),
  });
}

export function offline(): never {
  throw new TypeError('Failed to fetch');
}

/** Web Locks of one browser, for all its tabs. */
export class FakeLocks {
  readonly #held = new Set<string>();

  async request<Value>(
    name: string,
    { ifAvailable }: { ifAvailable: boolean },
    work: (lock: { name: string } | null) => Promise<Value>,
  ): Promise<Value> {
    if (!ifAvailable) throw new Error('a download never waits for a lock');
    if (this.#held.has(name)) return work(null);
    this.#held.add(name);
    try {
      return await work({ name });
    } finally {
      this.#held.delete(name);
    }
  }
}

/** The recorded file operations of the browser. */
export function watchBrowser() {
  // The frame of the fake advertisement loads nothing.
  const page = window as unknown as { happyDOM: { settings: Record<string, boolean> } };
  page.happyDOM.settings['disableIframePageLoading'] = true;
  page.happyDOM.settings['handleDisabledFileLoadingAsSuccess'] = true;
  const saved: { name: string; at: number }[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, at: Date.now() });
  });
  const opened: string[] = [];
  vi.spyOn(window, 'open').mockImplementation((url) => {
    opened.push(String(url));
    return null;
  });
  return { saved, opened };
}

/** Scripts of a fresh tab take a while to load. */
const LOADING = { timeout: 4_000 };

/** The page of a tab, with separate modules and a separate head. */
export async function openTab({ isExtended = true, ads = 'house' } = {}) {
  vi.resetModules();
  document.head.innerHTML = `<meta name="ads" content="${ads}"><meta name="ad-unit" content="/1/rewarded">`;
  setExtended(isExtended);
  const { $downloading, $download, $followUp, answerDownload, closeFollowUp, downloadSound } =
    await import('#src/stores/downloads/downloads.ts');
  const { followOverlays } = await import('#src/islands/overlays/load.ts');
  followOverlays();
  const { $watch } = await import('#src/ads/house.ts');
  const { $lastToast } = await import('#src/stores/overlays/overlays.ts');
  const toasts: string[] = [];
  $lastToast.listen((toast) => toast && toasts.push(toast.message));

  const until = (state: string | undefined) =>
    vi.waitFor(() => expect($download.get()?.state).toBe(state), LOADING);
  const press = (sound = SOUND) => downloadSound(sound);
  const answer = async (state: string, isYes = true) => {
    await until(state);
    answerDownload(isYes);
  };
  /** The notice once it is visible. */
  const startNotice = async () => {
    const watch = await vi.waitFor(() => {
      const shown = $watch.get();
      if (shown === null) throw new Error('no notice');
      return shown;
    }, LOADING);
    watch.begin();
    return watch;
  };
  const watchNotice = async () => {
    await startNotice();
    await vi.advanceTimersByTimeAsync(VIDEO.seconds * 1000);
  };
  /** Presses, and agrees to see an advertisement. */
  const consent = async (sound = SOUND) => {
    const pressed = press(sound);
    await answer('asking');
    return { pressed };
  };
  /** From the prompt to the end of the notice. */
  const earn = async (sound = SOUND) => {
    const { pressed } = await consent(sound);
    await watchNotice();
    await pressed;
  };
  return {
    $downloading,
    $download,
    $followUp,
    $watch,
    toasts,
    answerDownload,
    closeFollowUp,
    until,
    press,
    answer,
    consent,
    startNotice,
    watchNotice,
    earn,
  };
}

export const leavePage = () => document.dispatchEvent(new Event('astro:before-swap'));

/** Open alerts and questions. */
export const dialogs = () =>
  [...document.querySelectorAll('dialog[role="alertdialog"]')].map((dialog) => dialog.textContent ?? '');

/** Presses a button of an open dialog. */
export async function pressButton(text: string): Promise<void> {
  const button = await vi.waitFor(() => {
    const found = [...document.querySelectorAll('dialog[open] button')].find(
      ({ textContent }) => textContent === text,
    );
    if (!(found instanceof HTMLElement)) throw new Error(`no button ${text}`);
    return found;
  });
  button.click();
}

import type { AdRequest, NoAdReason } from './provider.ts';

/** The only address that Google allows the tag to be loaded from. */
export const GPT_URL = 'https://securepubads.g.doubleclick.net/tag/js/gpt.js';

const SCRIPT_MS_MAX = 8_000;

/** The Google Publisher Tag once it has loaded. */
export type Gpt = typeof googletag;

/** What stands in its place until then: commands that wait, others' among them. */
interface GptQueue {
  cmd: { push(...commands: (() => void)[]): number };
  /** True once the tag, or what a blocker puts in its place, has run. */
  readonly apiReady?: boolean;
}

/** Puts a script into the page unless it is there; returns how to take it out again. */
export type AddScript = (url: string, onError: () => void) => () => void;

/**
 * Loads the tag. Only its command queue tells that it is there: a script's `load` event comes before that, or
 * from a blocker. The timer runs outside the queue, which may never be worked off.
 */
export function loadGpt(
  { clock, signal }: Pick<AdRequest, 'clock' | 'signal'>,
  addScript: AddScript,
): Promise<Gpt | NoAdReason> {
  return new Promise((resolve) => {
    let removeScript: (() => void) | undefined;
    let isOver = false;
    const settle = (result: Gpt | NoAdReason) => {
      if (isOver) return;
      isOver = true;
      stopTimer();
      signal.removeEventListener('abort', leave);
      resolve(result);
    };
    const fail = (reason: NoAdReason) => {
      // Out of the page, so that another attempt can put it in again; also when nobody waits for it any more.
      removeScript?.();
      settle(reason);
    };
    const leave = () => settle('consent_required');
    const stopTimer = clock.after(SCRIPT_MS_MAX, () => fail('script_timeout'));
    signal.addEventListener('abort', leave);

    const page = window as unknown as { googletag?: GptQueue };
    const queue = (page.googletag ??= { cmd: [] });
    if (queue.apiReady !== true) removeScript = addScript(GPT_URL, () => fail('script_error'));
    queue.cmd.push(() => {
      const gpt = window.googletag;
      settle(isStub(gpt) ? 'blocked_stub' : gpt);
    });
  });
}

/** Blockers answer with a tag of the same shape that does nothing: it knows no formats and has no version. */
function isStub(gpt: Gpt): boolean {
  const { enums, getVersion } = gpt as Partial<Gpt>;
  return enums?.OutOfPageFormat?.REWARDED === undefined || !getVersion?.();
}

export const addScriptToPage: AddScript = (url, onError) => {
  const present = document.querySelector<HTMLScriptElement>(`script[src="${url}"]`);
  const script = present ?? document.createElement('script');
  script.addEventListener('error', onError, { once: true });
  if (present === null) {
    script.async = true;
    script.src = url;
    document.head.append(script);
  }
  return () => script.remove();
};

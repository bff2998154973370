import type { AdRequest, NoAdReason } from './provider.ts';

/** The only address from which Google allows loading the tag. */
export const GPT_URL = 'https://securepubads.g.doubleclick.net/tag/js/gpt.js';

const SCRIPT_MS_MAX = 8_000;

/** The Google Publisher Tag once it has loaded. */
export type Gpt = typeof googletag;

/** Placeholder until then: a command queue, which other code may also use. */
interface GptQueue {
  cmd: { push(...commands: (() => void)[]): number };
  /** True once the tag, or a blocker's replacement, has run. */
  readonly apiReady?: boolean;
}

/** Adds a script to the page unless present; returns the function that removes it. */
export type AddScript = (url: string, onError: () => void) => () => void;

/**
 * Loads the tag. Only its command queue shows that it is ready: a script's `load` event fires earlier, or comes from a
 * blocker. The timer runs outside the queue, which may never be processed.
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
      // Removed, so that another attempt can add it again; also when the caller has stopped waiting.
      removeScript?.();
      settle(reason);
    };
    const leave = () => settle('cancelled');
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

/** Blockers replace the tag with a stub of the same shape: it has no formats and no version. */
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

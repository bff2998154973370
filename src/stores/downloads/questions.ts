import { atom } from 'nanostores';

export interface DownloadedSound {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
}

/**
 * What the person sees of a download (spec §2, §4), and what they can answer with `answerDownload`.
 *
 * - `asking`: yes agrees, no leaves.
 * - `preparing`: has agreed, the advertisement loads; no leaves.
 * - `ready`: it waits for a press; no leaves.
 * - `watching`: a notice of our own, which asks by itself.
 * - `elsewhere`: an advertisement that brings its own frame; nothing is asked.
 * - `stuck`: that one has not ended for minutes; yes (広告を閉じる) gives it up, no (広告に戻る) leaves it on.
 * - `dismissed`: closed before its end; yes shows another, no leaves.
 * - `settling`: the host's clock is behind; no (閉じる) closes the sheet alone, and the file comes all the same.
 * - `fetching`: the file is on its way; nothing is asked.
 */
export interface DownloadView {
  readonly state:
    | 'asking'
    | 'preparing'
    | 'ready'
    | 'watching'
    | 'elsewhere'
    | 'stuck'
    | 'dismissed'
    | 'settling'
    | 'fetching';
  readonly sound: DownloadedSound;
}

export const $download = atom<DownloadView | null>(null);

let answer: ((isYes: boolean) => void) | null = null;

/** What the person presses: on with it, or not. `onYes` of the question runs within the press. */
export function answerDownload(isYes: boolean): void {
  const current = answer;
  answer = null;
  current?.(isYes);
}

/**
 * Shows a state and waits for the answer; null: no, or they have left. A later question takes the place of
 * this one, which then has no answer.
 */
export function askDownload<Value>(
  view: DownloadView,
  onYes: () => Value,
  signal: AbortSignal,
): Promise<Value | null> {
  if (signal.aborted) return Promise.resolve(null);
  $download.set(view);
  return new Promise((resolve) => {
    const settle = (isYes: boolean) => {
      signal.removeEventListener('abort', leave);
      resolve(isYes ? onYes() : null);
    };
    const leave = () => {
      // What has been asked since is not this question's to answer.
      if (answer === settle) answer = null;
      resolve(null);
    };
    signal.addEventListener('abort', leave, { once: true });
    answer = settle;
  });
}

import { publicAtom, publicMap } from '../../browser/public-atom.ts';
import type { DownloadFollowUp, DownloadOutcome, DownloadView, DownloadedSound } from './states.ts';

export type { DownloadFollowUp, DownloadView, DownloadedSound } from './states.ts';

/**
 * `busy`: in progress, so a second press on the sound does nothing (spec §4). `again`: the file did not arrive, and a
 * press fetches it again.
 */
export const $downloading = publicMap<Record<string, 'busy' | 'again' | undefined>>({});

/** The view of the current download; one at a time. */
export const $download = publicAtom<DownloadView | null>(null);

/** What is shown once a file has been sent to the browser. */
export const $followUp = publicAtom<DownloadFollowUp | null>(null);

let sendAnswer: (isYes: boolean) => void = () => {};

/** Shows the advertisement and fetches the file. The code loads with the first press. */
export async function downloadSound(sound: DownloadedSound): Promise<void> {
  if ($downloading.get()[sound.id] === 'busy') return;
  $downloading.setKey(sound.id, 'busy');
  let outcome: DownloadOutcome = 'left';
  try {
    const { answer, runDownload } = await import('./run.ts');
    sendAnswer = answer;
    outcome = await runDownload(sound, { $download, $followUp });
  } catch (error) {
    // The user has been notified (src/browser/load-script.ts); the next press retries.
    console.warn('The download could not be loaded.', error);
  }
  $downloading.setKey(sound.id, outcome === 'again' ? outcome : undefined);
}

/** Answers the view in `$download`, synchronously within the press: an advertisement may need it. */
export function answerDownload(isYes: boolean): void {
  sendAnswer(isYes);
}

export function closeFollowUp(): void {
  $followUp.set(null);
}

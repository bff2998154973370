import { publicAtom, publicMap } from '../../lib/public-atom.ts';
import type { DownloadFollowUp, DownloadOutcome, DownloadView, DownloadedSound } from './states.ts';

export type { DownloadFollowUp, DownloadView, DownloadedSound } from './states.ts';

/**
 * `busy`: under way, so a second press on the sound does nothing (spec §4). `again`: its file did not come, and
 * a press fetches it once more.
 */
export const $downloading = publicMap<Record<string, 'busy' | 'again' | undefined>>({});

/** What a download shows now; one at a time. */
export const $download = publicAtom<DownloadView | null>(null);

/** What is shown once a file is on its way. */
export const $followUp = publicAtom<DownloadFollowUp | null>(null);

let sendAnswer: (isYes: boolean) => void = () => {};

/** Shows the advertisement and fetches the file. Its code loads with the first press. */
export async function downloadSound(sound: DownloadedSound): Promise<void> {
  if ($downloading.get()[sound.id] === 'busy') return;
  $downloading.setKey(sound.id, 'busy');
  let outcome: DownloadOutcome = 'left';
  try {
    const { answer, runDownload } = await import('./run.ts');
    sendAnswer = answer;
    outcome = await runDownload(sound, { $download, $followUp });
  } catch (error) {
    // The person has been told (src/lib/load-script.ts); the next press tries again.
    console.warn('The download could not be loaded.', error);
  }
  $downloading.setKey(sound.id, outcome === 'again' ? outcome : undefined);
}

/** Answers the view in `$download`, within the press: an advertisement may need it. */
export function answerDownload(isYes: boolean): void {
  sendAnswer(isYes);
}

export function closeFollowUp(): void {
  $followUp.set(null);
}

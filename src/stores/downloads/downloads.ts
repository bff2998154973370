import { map } from 'nanostores';
import type { DownloadedSound } from './questions.ts';

/**
 * `busy`: under way, so a second press on the sound does nothing (spec §4). `again`: its file did not come, and
 * a press fetches it once more.
 */
export const $downloading = map<Record<string, 'busy' | 'again' | undefined>>({});

/** Shows the advertisement and fetches the file. What it takes loads with the first press. */
export async function downloadSound(sound: DownloadedSound): Promise<void> {
  if ($downloading.get()[sound.id] === 'busy') return;
  $downloading.setKey(sound.id, 'busy');
  let outcome: 'done' | 'left' | 'again' = 'left';
  try {
    const { runDownload } = await import('./flow.ts');
    outcome = await runDownload(sound);
  } catch (error) {
    // The person has been told (src/lib/load-script.ts); the next press tries again.
    console.warn('The download could not be loaded.', error);
  }
  $downloading.setKey(sound.id, outcome === 'again' ? outcome : undefined);
}

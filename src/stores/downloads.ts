import { map } from 'nanostores';

/** The sounds whose file is on its way; a second press on one of them does nothing (spec §4). */
export const $downloading = map<Record<string, true | undefined>>({});

/**
 * Fetches a sound's file and hands it over under a proper name. Once at a time for each sound.
 * A failure is only logged (spec §8).
 */
export async function downloadSound(sound: { id: string; title: string; artist: string }): Promise<void> {
  if ($downloading.get()[sound.id]) return;
  $downloading.setKey(sound.id, true);
  try {
    const { downloadFile } = await import('./download-file.ts');
    await downloadFile(sound);
  } catch (error) {
    console.error('Failed to fetch the sound file.', error);
  } finally {
    $downloading.setKey(sound.id, undefined);
  }
}

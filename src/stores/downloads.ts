import { map } from 'nanostores';
import type { DownloadedSound } from './download-questions.ts';
import { ask } from './questions.ts';

/**
 * `busy`: under way, so a second press on the sound does nothing (spec §4). `again`: its file did not come, and
 * a press fetches it once more.
 */
export const $downloading = map<Record<string, 'busy' | 'again' | undefined>>({});

/** Shows the advertisement and fetches the file. What it takes loads with the first press. */
export async function downloadSound(sound: DownloadedSound): Promise<void> {
  if ($downloading.get()[sound.id] === 'busy') return;
  $downloading.setKey(sound.id, 'busy');
  let outcome: 'done' | 'left' | 'again' | 'unloaded' = 'unloaded';
  try {
    const { runDownload } = await import('./download-flow.ts');
    outcome = await runDownload(sound);
  } catch (error) {
    console.error('The download could not be loaded.', error);
  }
  $downloading.setKey(sound.id, outcome === 'again' ? outcome : undefined);
  if (outcome === 'unloaded') await offerReload();
}

/** A browser remembers a script that it could not load until the page is loaded anew. */
async function offerReload(): Promise<void> {
  const isYes = await ask({
    title: 'ダウンロードを始められませんでした',
    text: '必要な部品を読み込めませんでした。通信の状態を確かめて、ページを読み込み直してください。',
    action: '読み込み直す',
  });
  if (isYes) location.reload();
}

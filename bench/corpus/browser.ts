import { launchChromium } from '../../tests/browser/support/launch.ts';
import type { Answer } from './host.ts';

/** The result of a file in a browser. */
export interface Played {
  /** Whether its player loaded the metadata and plays; otherwise the player's error. */
  readonly plays: true | string;
  /** Seconds that it decodes to, as a whole like in a game; 0 if it does not. */
  readonly decodedSeconds: number;
}

/** Plays and decodes each file in Chromium, from its URL at the host. */
export async function playAll(url: string, answers: readonly Answer[]): Promise<Map<string, Played>> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(url);
    const played = new Map<string, Played>();
    for (const { id, file_url } of answers) {
      played.set(id, await page.evaluate(playOne, new URL(file_url, url).href));
    }
    return played;
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function playOne(address: string): Promise<Played> {
  const audio = new Audio(address);
  audio.muted = true;
  const plays = await new Promise<true | string>((resolve) => {
    audio.addEventListener('timeupdate', () => audio.currentTime > 0.2 && resolve(true));
    audio.addEventListener('error', () => resolve(audio.error?.message ?? 'error'));
    setTimeout(() => resolve('nothing is heard'), 5_000);
    void audio.play().catch((error: unknown) => resolve(String(error)));
  });
  audio.pause();
  const bytes = await (await fetch(address)).arrayBuffer();
  const context = new OfflineAudioContext(2, 44_100, 44_100);
  const decodedSeconds = await context.decodeAudioData(bytes).then(
    ({ duration }) => duration,
    () => 0,
  );
  return { plays, decodedSeconds };
}
